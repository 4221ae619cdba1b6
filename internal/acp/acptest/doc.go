// Package acptest checks what goes over an ACP connection in tests, and plays the editor.
//
// A [Checker] holds every frame against the protocol's JSON Schema, by the type of its method and
// side, since the schema's root accepts nonsense. It also finds names that the schema doesn't have,
// which the protocol allows and which are nearly always spelling mistakes. The schema isn't part of
// this repository: see [FindSchema]. Where it is missing, frames are still checked as JSON-RPC,
// and a skipped subtest says so.
//
// An [Editor] is a strict client: it starts an agent, answers it, and complains about what the
// schema can't say, such as an update of a session that nobody has heard of.
package acptest
