package llm

import "slices"

// quirks are what a server was found not to take. They are kept for as long as the model is.
type quirks struct {
	drop                []string // members it refused by name
	maxCompletionTokens bool     // it wants max_tokens under its newer name
}

func (q quirks) dropped(key string) bool { return slices.Contains(q.drop, key) }

func (q quirks) maxTokensField() string {
	if q.maxCompletionTokens {
		return "max_completion_tokens"
	}
	return "max_tokens"
}
