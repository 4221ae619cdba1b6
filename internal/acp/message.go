package acp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// kind says what a line is.
type kind int

const (
	invalid kind = iota
	notification
	request
	response
)

// message is a line, taken apart. Its parts share memory with the line.
type message struct {
	kind   kind
	id     json.RawMessage // as it was sent: null, a string or a number; nil when absent
	method string
	params json.RawMessage
	result json.RawMessage
	err    json.RawMessage
	fault  *Error // why it is invalid
}

// parse tells what a line is. The id is kept as it came: any number, string or null must be echoed
// exactly, and the SDK's first one is 0. What has a method is a request or a notification; only
// then do result and error count.
func parse(line []byte) message {
	if !json.Valid(line) {
		return message{fault: NewError(CodeParse, "this line is not JSON", nil)}
	}
	switch line[0] {
	case '[':
		return message{fault: InvalidRequest("batches are not supported")}
	case '{':
		return classify(split(line))
	}
	return message{fault: InvalidRequest("expected an object, found %s", valueKind(line))}
}

// members are those of a message that count; nil is absent.
type members struct {
	version, id, method, params, result, err json.RawMessage
}

func split(line []byte) members {
	var m members
	eachField(line, func(key, val []byte) bool {
		switch string(key) {
		case "jsonrpc":
			m.version = val
		case "id":
			m.id = val
		case "method":
			m.method = val
		case "params":
			m.params = val
		case "result":
			m.result = val
		case "error":
			m.err = val
		}
		return true
	})
	return m
}

func classify(m members) message {
	if string(m.err) == "null" {
		m.err = nil
	}
	msg := message{id: m.id, params: m.params, result: m.result, err: m.err}
	if m.id != nil && m.id[0] != '"' && m.id[0] != '-' && (m.id[0] < '0' || m.id[0] > '9') && !isNull(m.id) {
		msg.id = nil
		msg.fault = InvalidRequest("id must be a string, a number or null, found %s", valueKind(m.id))
		return msg
	}
	if m.method == nil {
		if m.id == nil && m.err == nil && m.result == nil {
			msg.fault = InvalidRequest("method is missing")
			return msg
		}
		msg.kind = response
		return msg
	}
	switch {
	case m.method[0] != '"':
		msg.fault = InvalidRequest("method must be a string, found %s", valueKind(m.method))
	case m.version != nil && unquote(m.version) != "2.0":
		msg.fault = InvalidRequest("jsonrpc must be \"2.0\"")
	case m.id == nil:
		msg.kind = notification
	default:
		msg.kind = request
	}
	msg.method = unquote(m.method)
	return msg
}

// parseHead tells what it can of a message of which only the beginning is left.
func parseHead(head []byte, limit int) message {
	msg := classify(split(head))
	if msg.fault = InvalidRequest("a message may have %d bytes at most", limit); msg.kind == response {
		msg.err, _ = encode(nil, msg.fault)
		return msg
	}
	msg.kind = invalid
	return msg
}

// salvage finds the message in a line that begins with something else, such as an escape
// sequence or a prompt without a newline. It returns what stood before it.
func salvage(line []byte) (msg message, before []byte) {
	i := bytes.Index(line, []byte(`{"`))
	if i <= 0 || !json.Valid(line[i:]) {
		return message{}, line
	}
	if msg = parse(line[i:]); field(line[i:], "jsonrpc") == nil {
		return message{}, line
	}
	return msg, line[:i]
}

// toUTF8 mends a line that isn't UTF-8, so that what is passed on from it is.
func toUTF8(line []byte) []byte {
	if utf8.Valid(line) {
		return line
	}
	return bytes.ToValidUTF8(line, []byte("\uFFFD"))
}

// ownID reads the id of a response: those we send are whole numbers from 0.
func ownID(id json.RawMessage) (uint64, bool) {
	n, err := strconv.ParseUint(string(id), 10, 63)
	return n, err == nil
}

// sameID compares an id with another, both as they were sent.
func sameID(a, b json.RawMessage) bool {
	if len(a) > 0 && len(b) > 0 && a[0] == '"' && b[0] == '"' {
		return unquote(a) == unquote(b)
	}
	return bytes.Equal(a, b)
}

// parseError reads the error of a response, however odd it is.
func parseError(raw json.RawMessage) *Error {
	e := &Error{Code: CodeInternal}
	var f float64
	if json.Unmarshal(field(raw, "code"), &f) == nil {
		e.Code = int64(f)
	}
	e.Message = unquote(field(raw, "message"))
	if raw[0] == '"' {
		e.Message = unquote(raw)
	}
	if e.Message == "" {
		e.Message = "failed without a reason"
	}
	if data := field(raw, "data"); !isNull(data) {
		e.Data = &data
	}
	return e
}
