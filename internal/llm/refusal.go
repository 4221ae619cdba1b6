package llm

import (
	"cmp"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// isPage reports whether an answer is for people: something else than a model's server listens there, or
// its API has another path.
func isPage(header http.Header) bool {
	return strings.Contains(header.Get("Content-Type"), "text/html")
}

// refusal makes an error of an HTTP answer that isn't a success, or of a page.
func refusal(status int, header http.Header, body []byte, now time.Time) *Error {
	if status/100 == 2 {
		return &Error{Kind: KindNotFound, Status: status, Message: "the answer is a web page", Detail: title(string(body))}
	}
	w := bodyFault(status, header, body)
	e := classify(status, w)
	e.RetryAfter = retryAfter(header, now)
	return e
}

// bodyFault reads the body of a refusal: JSON, a line of text, a proxy's page (which is never
// shown), or nothing, when the status is all there is.
func bodyFault(status int, header http.Header, body []byte) *wireError {
	text := strings.TrimSpace(string(body))
	switch {
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		return parseFault(body)
	case text == "":
		return &wireError{message: statusLine(status)}
	case strings.Contains(header.Get("Content-Type"), "html") || strings.HasPrefix(text, "<"):
		return &wireError{message: cmp.Or(title(text), statusLine(status))}
	}
	return &wireError{message: firstLine(text)}
}

// title is that of a page, "" where it has none.
func title(page string) string {
	m := regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`).FindStringSubmatch(page)
	if m == nil {
		return ""
	}
	return firstLine(strings.Join(strings.Fields(m[1]), " "))
}

func statusLine(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// classify finds out what an error means. "The status alone misleads: llama.cpp answers 500 to a
// history it can't read and mlx_lm.server 404 to everything. Look at type, then at the words, then
// at the status."
func classify(status int, w *wireError) *Error {
	e := &Error{Status: status, Message: w.message, Detail: w.detail, param: w.param}
	kind := byType(w)
	if kind == "" {
		kind = byWords(strings.ToLower(w.message + " " + w.detail))
	}
	if kind == "" {
		kind = byStatus(pick(status, whole(w.code)))
	}
	e.Kind = kind
	switch kind {
	case KindLoading, KindOverloaded, KindRateLimit, KindServer:
		e.Retry = true
	case KindContext:
		e.PromptTokens, e.Context = contextNumbers(w)
	}
	return e
}

func byType(w *wireError) string {
	switch w.kind {
	case "exceed_context_size_error":
		return KindContext
	case "authentication_error", "permission_error":
		return KindAuth
	case "rate_limit_error":
		return KindRateLimit
	case "overloaded_error":
		return KindOverloaded
	case "insufficient_quota":
		return KindCredit
	case "not_supported_error":
		return KindBadRequest
	}
	switch w.code {
	case "context_length_exceeded":
		return KindContext
	case "invalid_api_key":
		return KindAuth
	case "rate_limit_exceeded":
		return KindRateLimit
	case "insufficient_quota":
		return KindCredit
	case "model_not_found":
		return KindNotFound
	}
	return ""
}

// byWords knows the sentences of servers, in lower case.
func byWords(message string) string {
	for _, w := range []struct{ words, kind string }{
		{"loading model", KindLoading},
		{"model is loading", KindLoading},
		{"failed to parse tool call arguments", KindBadRequest},
		{"failed to parse input", KindServer},
		{"schema conversion failed", KindBadRequest},
		{"failed to parse grammar", KindBadRequest},
		{"does not support tools", KindNoTools},
		{"requires --jinja", KindNoTools},
		{"tool choice requires", KindNoTools},
		{"support tool use", KindNoTools},
		{"tools are not supported", KindNoTools},
		{"tool calling is not supported", KindNoTools},
		{"does not support tool", KindNoTools},
		{"does not support function", KindNoTools},
		{"available context size", KindContext},
		{"context size has been exceeded", KindContext},
		{"context length", KindContext},
		{"context window", KindContext},
		{"prompt is too long", KindContext},
		{"input is too long", KindContext},
	} {
		if strings.Contains(message, w.words) {
			return w.kind
		}
	}
	return ""
}

func byStatus(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return KindAuth
	case http.StatusPaymentRequired:
		return KindCredit
	case http.StatusNotFound:
		return KindNotFound
	case http.StatusRequestEntityTooLarge:
		return KindContext
	case http.StatusTooManyRequests:
		return KindRateLimit
	case http.StatusServiceUnavailable, 529:
		return KindOverloaded
	case http.StatusRequestTimeout:
		return KindServer
	case http.StatusNotImplemented:
		return KindBadRequest
	}
	if status >= 300 && status < 500 {
		return KindBadRequest
	}
	return KindServer
}

// contextNumbers are those of the fields, failing that those of the text.
func contextNumbers(w *wireError) (prompt, context int) {
	prompt, context = w.promptTokens, w.context
	if prompt == 0 {
		prompt = firstNumber(w.message,
			`request \((\d+) tokens\)`, `has (\d+) input tokens`, `(\d+) in the messages`,
			`input \((\d+) tokens\)`, `resulted in (\d+) tokens`, `prompt \((\d+) tokens\)`,
			`requested (\d+) tokens`)
	}
	if context == 0 {
		context = firstNumber(w.message,
			`context size \((\d+) tokens\)`, `context length is (\d+)`, `context length \((\d+) tokens\)`,
			`context length of (\d+)`, `context window of (\d+)`)
	}
	return prompt, context
}

func firstNumber(s string, patterns ...string) int {
	for _, p := range patterns {
		if m := regexp.MustCompile(p).FindStringSubmatch(s); m != nil {
			n, err := strconv.Atoi(m[1])
			if err == nil {
				return n
			}
		}
	}
	return 0
}

// retryAfter reads Retry-After: seconds, or a date, which counts from the server's own Date.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if value == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		if !(s > 0) {
			return 0
		}
		return time.Duration(min(s, math.MaxInt32) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now))
}
