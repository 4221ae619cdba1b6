// Package llm talks to language models: it sends one request to an OpenAI-compatible server and
// reads the streamed answer, whatever the server does to that stream.
//
// New makes a Model of Options and touches no network; the server, its model and its context window
// are found at first use. Model.Stream sends a Request, tells what arrives as Events while it
// arrives, waits and asks again where that can help, and returns a Reply that is fit for the
// history: calls have ids of nine letters and digits that are unique in the conversation, arguments
// are JSON objects, reasoning left in the text is apart, and calls that the model wrote as text are
// calls. Every failure is an *Error, except for the end of the context and what the caller's own
// function returned.
//
// What is read here follows rules that were collected from servers' sources and bug reports; the
// streams they were tested with are in testdata/streams.
//
// What is not here: what goes into a history, when it is shortened, what an empty answer means for
// a turn, and how long silence may last. These sit above, in the turn.
//
// The request's bytes are the same at the front every time, so that servers can use their prompt
// cache: parameters and tools first, in a fixed order, the messages last, each encoded once.
//
// A Model may be used by several goroutines. A slice of Messages belongs to one Stream at a time,
// which keeps each message's encoding in it.
package llm
