package llm

import (
	"fmt"
	"time"
)

// The kinds of failures, whatever words the server chose.
const (
	// KindLoading: the server still loads the model; waiting helps.
	KindLoading = "loading"
	// KindOverloaded: the server has too much to do; waiting helps.
	KindOverloaded = "overloaded"
	// KindRateLimit: too many requests; waiting helps.
	KindRateLimit = "rate_limit"
	// KindServer: the server failed; asking again may help.
	KindServer = "server"
	// KindContext: the prompt doesn't fit the context window.
	KindContext = "context"
	// KindNoTools: this model, or this start of the server, takes no tools.
	KindNoTools = "no_tools"
	// KindNoImages: this model, or this start of the server, takes no images.
	KindNoImages = "no_images"
	// KindNotFound: no such model, or no such path.
	KindNotFound = "not_found"
	// KindAuth: the key is missing or wrong.
	KindAuth = "auth"
	// KindCredit: the account has no money left.
	KindCredit = "credit"
	// KindBadRequest: the server can't take this request.
	KindBadRequest = "bad_request"
	// KindBroken: the stream ended before the answer did.
	KindBroken = "broken"
	// KindTooLarge: the answer outgrew what mm reads.
	KindTooLarge = "too_large"
	// KindNetwork: the server couldn't be reached.
	KindNetwork = "network"
	// KindNoServer: no server was configured and none was found.
	KindNoServer = "no_server"
)

// Error is a failed request.
type Error struct {
	// Kind is one of the constants above.
	Kind string
	// Status is the HTTP status of a refusal, 0 for other failures.
	Status int
	// Message is the server's own message, or what happened; one line where the server sent one.
	Message string
	// Detail adds to the message: the words of a provider behind a gateway.
	Detail string
	// Hint says what to do about it, "" when nothing is known.
	Hint string
	// Provider and Model were asked.
	Provider string
	Model    string
	// PromptTokens and Context are the numbers of a KindContext failure, 0 where not told.
	PromptTokens int
	Context      int
	// Retry reports whether the same request can succeed later.
	Retry bool
	// RetryAfter is what the server asked to wait, 0 when it didn't say.
	RetryAfter time.Duration
	// Err is the cause, when there is one below HTTP.
	Err error

	param string // the member of the request that the server names
}

// Error is the message with what was asked in front: "ollama: model 'qwen3:4b' not found".
func (e *Error) Error() string {
	text := e.Message
	if e.Provider != "" {
		text = e.Provider + ": " + text
	}
	if e.Detail != "" {
		text += " (" + e.Detail + ")"
	}
	if e.Hint != "" {
		text = fmt.Sprintf("%s — %s", text, e.Hint)
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
