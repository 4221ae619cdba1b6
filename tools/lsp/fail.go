package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/sourcegraph/jsonrpc2"
)

// refusal is an error whose text is the model's as it is.
type refusal string

func (r refusal) Error() string { return string(r) }

// failure is the model's text for what went wrong: the one place that words it.
func failure(ctx context.Context, q request, server Server, err error) string {
	var r refusal
	var file *fileError
	switch {
	case ctx.Err() != nil:
		return "[lsp: cancelled]"
	case errors.As(err, &r):
		return string(r)
	case errors.As(err, &file):
		return unreadable(q.name, file.err)
	}
	return fmt.Sprintf("[lsp: %s: %s failed: %s]", server.Name, q.action, serverText(err))
}

// serverText is an error without the words of the connection.
func serverText(err error) string {
	var e *jsonrpc2.Error
	if errors.As(err, &e) {
		if s := oneLine(e.Message); s != "" {
			return s
		}
		return fmt.Sprintf("error %d", e.Code)
	}
	return oneLine(err.Error())
}

// unreadable says why a file can't be read.
func unreadable(name string, err error) string {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "[lsp: " + name + " does not exist]"
	case errors.As(err, &pe):
		return "[lsp: " + name + ": " + pe.Err.Error() + "]"
	}
	return "[lsp: " + name + " " + err.Error() + "]" // "is a folder", "is too large"
}
