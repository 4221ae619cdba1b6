// Package llmtest is a model server for tests: an OpenAI-compatible server on loopback that
// answers from a function or a script, keeps what it was asked, and fails the test for any request
// that a strict server would refuse (see Check).
package llmtest
