package mcp

import (
	"bytes"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// tooLong makes an error of an answer that was too long to read, so that its call doesn't wait for
// it; nil if it says nowhere near its ends what it answers.
func tooLong(ends []byte, limit int) jsonrpc.Message {
	const near = 100
	for _, part := range [][]byte{ends[max(len(ends)-near, 0):], ends[:min(len(ends), near)]} {
		n, ok := idIn(part)
		if !ok {
			continue
		}
		if id, err := jsonrpc.MakeID(n); err == nil {
			return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError,
				Message: fmt.Sprintf("its answer is longer than %d MiB and wasn't read", limit>>20)}}
		}
	}
	return nil
}

// idIn finds a number as the id in a part of a message. All ids of ours are numbers.
func idIn(part []byte) (n float64, ok bool) {
	_, rest, ok := bytes.Cut(part, []byte(`"id"`))
	if !ok {
		return 0, false
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte(":"))
	rest = bytes.TrimLeft(rest, " ")
	digits := 0
	for digits < len(rest) && digits < 15 && rest[digits] >= '0' && rest[digits] <= '9' {
		n = n*10 + float64(rest[digits]-'0')
		digits++
	}
	return n, ok && digits > 0 && digits < len(rest) && bytes.IndexByte([]byte(" ,}"), rest[digits]) >= 0
}
