package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
)

// Codes of JSON-RPC and of ACP v1.
const (
	CodeParse            = -32700
	CodeInvalidRequest   = -32600 // also any request before initialize
	CodeMethodNotFound   = -32601 // also a method whose capability wasn't announced
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
	CodeRequestCancelled = -32800
	CodeAuthRequired     = -32000
	CodeNotFound         = -32002 // an unknown session or a missing file
)

// mm's own codes: how a turn failed, as an error of session/prompt with data {"where": …}.
// They let the asker tell them apart.
const (
	CodeWatchdog         = 1001
	CodeLoop             = 1002
	CodeModel            = 1003
	CodeEmptyTurn        = 1004
	CodeStructuredOutput = 1005
)

// Error is an error response. A Handler that returns one chooses code, message and data.
type Error = jsonrpc2.Error

// ErrClosed is what Call and Notify return, wrapped with the reason, once the connection has ended.
var ErrClosed = errors.New("the connection is closed")

// NewError makes an error response. Its message is made one short line; data, nil for none, must
// be something that JSON can hold.
func NewError(code int64, message string, data any) *Error {
	e := &Error{Code: code, Message: oneLine(message)}
	if data == nil {
		return e
	}
	if raw, err := json.Marshal(data); err == nil {
		e.Data = (*json.RawMessage)(&raw)
	}
	return e
}

// InvalidRequest says that a request can't be served in this form or at this time.
func InvalidRequest(format string, args ...any) *Error {
	return NewError(CodeInvalidRequest, fmt.Sprintf(format, args...), nil)
}

// MethodNotFound refuses a method that this side doesn't have or didn't announce.
func MethodNotFound(method string) *Error {
	return NewError(CodeMethodNotFound, "unknown method "+method, map[string]string{"method": method})
}

// InvalidParams says what is wrong with the parameters of a request.
func InvalidParams(format string, args ...any) *Error {
	return NewError(CodeInvalidParams, fmt.Sprintf(format, args...), nil)
}

// Internal says what failed on this side.
func Internal(format string, args ...any) *Error {
	return NewError(CodeInternal, fmt.Sprintf(format, args...), nil)
}

// Cancelled answers a request that its sender gave up.
func Cancelled() *Error {
	return NewError(CodeRequestCancelled, "the request was cancelled", nil)
}

// AuthRequired answers session/new when the user must log in first.
func AuthRequired(message string) *Error {
	return NewError(CodeAuthRequired, message, nil)
}

// UnknownSession answers a request for a session that isn't there.
func UnknownSession(id string) *Error {
	return NewError(CodeNotFound, "unknown session "+id, map[string]string{"sessionId": id})
}

// FileNotFound answers fs/read_text_file for a file that isn't there.
func FileNotFound(path string) *Error {
	return NewError(CodeNotFound, "no such file: "+path, map[string]string{"path": path})
}

// TurnFailed is the answer to session/prompt of a turn that failed: code is one of mm's own,
// where is the part that failed, as in a session file. What doesn't fit into a message of one short line
// stands in data.details as well.
func TurnFailed(code int64, where, message string) *Error {
	data := map[string]string{"where": where}
	if message = strings.TrimSpace(message); oneLine(message) != message {
		data["details"] = message
	}
	return NewError(code, message, data)
}

// plainError is an error response in its sender's words alone: jsonrpc2 would put its own name and the
// code before them, and people read them.
type plainError struct{ response *Error }

// Error is the message.
func (e plainError) Error() string { return oneLine(e.response.Message) }

// Unwrap is the response.
func (e plainError) Unwrap() error { return e.response }

func plain(err error) error {
	if e, ok := err.(*Error); ok {
		return plainError{e}
	}
	return err
}

// ErrorCode returns the code of the error response in err's chain, 0 when there is none.
func ErrorCode(err error) int64 {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return 0
}

// asError makes the error response for what a handler returned. jsonrpc2 would send code 0 for
// a plain error.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return cleanError(e)
	}
	if errors.Is(err, context.Canceled) {
		return Cancelled()
	}
	return cleanError(&Error{Code: CodeInternal, Message: err.Error()})
}

// cleanError copies an error response so that it can be sent: its message is one short line,
// what was cut stands in data unless there is other data.
func cleanError(e *Error) *Error {
	c := *e
	c.Message = oneLine(e.Message)
	if c.Message != e.Message && c.Data == nil {
		return NewError(e.Code, e.Message, map[string]string{"detail": strings.ToValidUTF8(e.Message, "\uFFFD")})
	}
	return &c
}

// maxMessage bounds the message of an error, in characters.
const maxMessage = 300

// oneLine is the first line of s that has text, shortened.
func oneLine(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD"))
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	if utf8.RuneCountInString(s) > maxMessage {
		s = string([]rune(s)[:maxMessage-1]) + "…"
	}
	if s == "" {
		return "failed without a reason"
	}
	return s
}
