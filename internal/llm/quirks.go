package llm

import (
	"regexp"
	"slices"
)

// quirks are what a server was found not to take. They are kept for as long as the model is.
type quirks struct {
	drop                []string // members it refused by name
	maxCompletionTokens bool     // it wants max_tokens under its newer name
	noTools             bool     // it refused tools
	thinksUnopened      bool     // its last answer began with reasoning whose <think> stood in the prompt
}

func (q quirks) dropped(key string) bool { return slices.Contains(q.drop, key) }

func (q quirks) maxTokensField() string {
	if q.maxCompletionTokens {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

// optional are the members that a request can do without.
func optional() []string {
	return []string{
		"parallel_tool_calls", "stream_options", "cache_prompt", "return_progress", "keep_alive", "stop",
		"temperature", "top_p", "seed", "reasoning_effort", "response_format",
	}
}

// learn changes what is sent to a server after a refusal, and reports whether asking again makes
// sense; a notice is for the person.
//
// "Drop fields a server refuses by name and remember that for the session."
func (c *Client) learn(e *Error, r *Request, lim *limits) (again bool, notice string) {
	t := c.target()
	switch {
	case e.Kind == KindNoTools && len(r.Tools) > 0 && !t.asText(c.opts.ToolCalls) && c.opts.ToolCalls != "native":
		c.update(func(t *target) { t.quirks.noTools = true })
		return true, "this server takes no tools: calls are declared in the prompt"
	case e.Kind == KindContext:
		return lim.fit(e, pick(c.opts.MaxTokens, defaultMaxTokens)), ""
	case e.Kind != KindBadRequest || e.Status != 400 && e.Status != 422:
		return false, ""
	case !t.quirks.maxCompletionTokens && names(e, "max_tokens"):
		c.update(func(t *target) { t.quirks.maxCompletionTokens = true })
		return true, ""
	}
	for _, key := range optional() {
		if !t.quirks.dropped(key) && names(e, key) {
			c.update(func(t *target) { t.quirks.drop = append(slices.Clone(t.quirks.drop), key) })
			return true, ""
		}
	}
	return false, ""
}

// names reports whether a refusal is about a member of the request.
func names(e *Error, key string) bool {
	return e.param == key || regexp.MustCompile(`\b`+key+`\b`).MatchString(e.Message)
}

// fit makes room for the answer when only prompt and answer together are too long: vLLM counts
// both. It gives up where too little would be left to say.
func (l *limits) fit(e *Error, maxTokens int) bool {
	const margin, least = 16, 512
	room := e.Context - e.PromptTokens - margin
	if l.maxTokens != 0 || e.PromptTokens == 0 || room < min(least, maxTokens) || room >= maxTokens {
		return false
	}
	l.maxTokens = room
	return true
}

// asText reports whether tools are declared in the prompt.
func (t target) asText(toolCalls string) bool { return toolCalls == "text" || t.quirks.noTools }
