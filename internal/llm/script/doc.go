// Package script is a model that follows a script: it answers the HTTP requests of an
// OpenAI-compatible client as a server would, from steps in a YAML file.
//
// Parse reads and checks a script, NewPlayer makes a model of it. A Player is an
// http.RoundTripper, for a client in the same process, and an http.Handler, for a server on
// loopback. It plays one script for all its conversations: how often a step was used is counted
// in the Player.
//
// docs/reference/scripted-model.md describes the format for people.
package script
