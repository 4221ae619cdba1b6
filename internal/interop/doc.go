// Package interop holds mm against clients and agents of other makes (supplement 12) by tests that
// run them as they are shipped, beside the real mm: the protocol's TypeScript SDK as a strict
// client, acpx as a client in a terminal, opencode and Qwen Code as agents that are asked, and the
// Go SDK's example client and agent. It has no code of its own.
//
//	go test ./internal/interop/...
//
// runs them all. The peers come from npm and the Go module proxy; .ci/run installs the pinned
// versions into $MM_CI_TOOLS (~/.cache/mm-ci). One that is missing is skipped, with the command that
// installs it. All models are scripted, on loopback; what the peers would fetch beside them ends at
// a proxy that isn't there (but for Qwen Code, which would send its model's requests there, too).
package interop
