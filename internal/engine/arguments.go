package engine

import "encoding/json"

// askArguments reads whom an ask_agent call asks, and what.
func askArguments(input json.RawMessage) (agent, prompt string) {
	var in struct {
		Agent  string `json:"agent"`
		Prompt string `json:"prompt"`
	}
	_ = json.Unmarshal(input, &in) // arguments of the wrong shape never get this far
	return in.Agent, in.Prompt
}
