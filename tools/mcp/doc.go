// Package mcp makes the tools of MCP servers callable: programs that are started and spoken to over
// stdin and stdout, and servers over streamable HTTP. The protocol is the official SDK's; processes
// run through internal/proc, under the guard.
//
// New takes the servers of an agent file, or of an ACP session, and starts nothing. Start starts all
// in the background, Tools does so too and waits at most 5 s for their lists; what comes later shows
// in Generation, and Tools returns the same slice of the same tools as long as nothing changed. The
// tools of a server that has ended stay declared: a call of one starts the server again. Close ends
// everything.
//
// Servers holds what is known of all servers under one mutex. Below it a conn is one living
// connection; its watch goroutine is the one that notes a changed list and the connection's end.
// A call waits for an answer as long as progress comes (Options.Silence), and a question of the
// server (elicitation) goes to the person of the call under way.
//
// A server is foreign code: its schemas are cleaned before a model's server sees them, checked
// before they are used to check, and everything that is read from it has a bound.
package mcp
