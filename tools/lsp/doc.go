// Package lsp is the lsp tool: what language servers know of code (definition, references, hover,
// symbols, diagnostics) and rename, by the rules of tools.fr.md.
//
// New looks for the commands of the given servers and returns a Tool when there is at least one. A
// server is started at the first call for one of its extensions in a folder, kept, and started
// again at the call after its death; Close ends all. Tool is what the model calls; below it a slot
// holds the one connection to a server in a folder, and whoever holds the slot's turn may use it:
// calls of a server run one after the other. What a server says by itself (diagnostics, progress,
// requests) is handled in the reading goroutine of its connection, under the connection's mutex,
// and never waits for anything.
//
// Lines and columns count from 1, in characters, wherever the model sees them, and from 0, in
// UTF-16 units, on the wire (LSP 3.17, Position). Failures are texts for the model, "[lsp: …]".
package lsp
