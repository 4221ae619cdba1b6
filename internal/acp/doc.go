// Package acp is the Agent Client Protocol, version 1: its types and one connection, used by mm
// as the agent of an editor and as the client of the agents it asks. It imports nothing of mm.
//
// # Types
//
// Structs are named as in the protocol's schema. What the schema allows to be wrong is read as if
// it were absent (x-deserialize-default-on-error, skip-invalid-items); what causes actions is
// refused, by an error that [DecodeParams] makes into -32602. Session updates are received as
// [SessionUpdate], which knows its kind and keeps the received bytes, so that a relay loses nothing.
//
// # Connection
//
// [Conn] speaks JSON-RPC over lines through sourcegraph/jsonrpc2, which keeps the table of calls
// and hands out requests. Below it lies a stream of our own (wire.go), since jsonrpc2 can't do
// some things the protocol wants: ids other than positive integers, lines that aren't JSON,
// payloads passed on byte for byte, writes that give up with their context.
//
// Order: notifications are handled one after the other in the goroutine that reads, before a
// response or request that came after them is looked at. Each request has a goroutine of its own.
// What is sent leaves in the order in which Notify, Call and the return of a handler happened.
//
// What may block: Notify, Call and responses wait while the peer doesn't read, until their context
// ends. A [Handler]'s Notification blocks all that comes after it; making a Call in it and waiting
// for the answer would wait for ever, so don't.
package acp
