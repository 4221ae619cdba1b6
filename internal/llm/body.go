package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// body writes the request. What stays the same comes first and the messages last, so that each
// body starts with all the bytes of the one before, up to its last bracket.
//
// temperature and max_tokens are always sent: mlx_lm.server stops after 512 tokens otherwise, and
// Ollama's temperature is 1. id_slot is never sent: mm's agents are processes that don't know of
// each other, two that pin the same slot of llama.cpp would wait for each other, and its own choice
// (the slot with the longest common prefix) is the right one.
func (c *Client) body(t target, r *Request, lim limits) ([]byte, error) {
	f := c.fields(t, r, lim)
	if err := f.merge(c.opts.ExtraBody); err != nil {
		return nil, err
	}
	asText := t.asText(c.opts.ToolCalls) && len(r.Tools) > 0
	b := make([]byte, 0, bodySize(f, r, asText))
	b = append(b, '{')
	for _, e := range f {
		b = appendString(b, e.key)
		b = append(b, ':')
		b = append(b, e.value...)
		b = append(b, ',')
	}
	b = append(b, `"messages":[`...)
	if asText {
		b = appendAsText(b, r.Messages, r.Tools)
	} else {
		for i := range r.Messages {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, r.Messages[i].encode()...)
		}
	}
	return append(b, `]}`...), nil
}

// bodySize is about how many bytes a request has.
func bodySize(f fields, r *Request, asText bool) int {
	n := 1024
	for _, e := range f {
		n += len(e.key) + len(e.value) + 4
	}
	if asText {
		for i := range r.Messages {
			n += len(r.Messages[i].encodeInside()) + 32
		}
		return n + len(appendTools(nil, r.Tools))
	}
	for i := range r.Messages {
		n += len(r.Messages[i].encode()) + 1
	}
	return n
}

// field is one member of the request, its value as JSON.
type field struct {
	key   string
	value []byte
}

type fields []field

func (f *fields) set(key string, value []byte) {
	*f = append(*f, field{key, value})
}

func (f *fields) number(key string, v float64) {
	f.set(key, strconv.AppendFloat(nil, v, 'f', -1, 64))
}

// merge adds the user's own members in the order of their names; one that is there already is
// replaced where it stands.
func (f *fields) merge(extra map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		if key == "messages" || key == "tools" || key == "stream" {
			continue
		}
		value, err := json.Marshal(extra[key])
		if err != nil {
			return fmt.Errorf("extraBody: %s can't be written as JSON: %w", key, err)
		}
		if i := slices.IndexFunc(*f, func(e field) bool { return e.key == key }); i >= 0 {
			(*f)[i].value = value
		} else {
			f.set(key, value)
		}
	}
	return nil
}

// limits are what a refusal taught about one request.
type limits struct {
	maxTokens int // 0 means the configured number
}

// fields are all members but the messages.
func (c *Client) fields(t target, r *Request, lim limits) fields {
	var f fields
	o := &c.opts
	f.set("model", appendString(nil, t.model))
	f.set("stream", []byte("true"))
	f.set("stream_options", []byte(`{"include_usage":true}`))
	f.number("temperature", o.Temperature)
	f.set(t.quirks.maxTokensField(), strconv.AppendInt(nil, int64(pick(lim.maxTokens, o.MaxTokens, defaultMaxTokens)), 10))
	if o.TopP != nil {
		f.number("top_p", *o.TopP)
	}
	if o.Seed != nil {
		f.set("seed", strconv.AppendInt(nil, *o.Seed, 10))
	}
	if o.ReasoningEffort != "" {
		f.set("reasoning_effort", appendString(nil, o.ReasoningEffort))
	}
	if t.kind == LlamaCPP {
		f.set("cache_prompt", []byte("true"))
		f.set("return_progress", []byte("true"))
	}
	if t.kind == Ollama {
		f.set("keep_alive", []byte(`"30m"`))
	}
	if r.Format != nil {
		f.set("response_format", appendFormat(nil, r.Format))
	}
	switch {
	case len(r.Tools) == 0:
	case t.asText(o.ToolCalls):
		f.set("stop", []byte(`["`+resultEnd+`"]`))
	default:
		f.set("parallel_tool_calls", []byte("true"))
		f.set("tools", appendTools(nil, r.Tools))
	}
	return slices.DeleteFunc(f, func(e field) bool { return t.quirks.dropped(e.key) })
}

const defaultMaxTokens = 4096

// pick returns the first number that isn't zero.
func pick(numbers ...int) int {
	for _, n := range numbers {
		if n != 0 {
			return n
		}
	}
	return 0
}

func appendFormat(b []byte, f *Format) []byte {
	b = append(b, `{"type":"json_schema","json_schema":{"name":`...)
	b = appendString(b, f.Name)
	b = append(b, `,"schema":`...)
	b = append(b, f.Schema...)
	return append(b, `}}`...)
}

func appendTools(b []byte, tools []Tool) []byte {
	b = append(b, '[')
	for i, t := range tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"type":"function","function":{"name":`...)
		b = appendString(b, t.Name)
		b = append(b, `,"description":`...)
		b = appendString(b, t.Description)
		b = append(b, `,"parameters":`...)
		b = append(b, t.schema()...)
		b = append(b, `}}`...)
	}
	return append(b, ']')
}

// schema is the schema of the tool's arguments.
func (t *Tool) schema() []byte {
	if len(t.Parameters) == 0 {
		return []byte(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}
