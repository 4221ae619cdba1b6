package script

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode"
	"unicode/utf8"
)

// play is the body of one answer. It works out what comes next when it is read, so that it needs
// no goroutine.
type play struct {
	ctx     context.Context
	sleep   func(context.Context, time.Duration) error
	actions []Action
	found   groups
	model   string
	usage   Usage

	buf   []byte   // written and not yet read
	words []string // of a text or thought that is being streamed
	field string   // where the words go
	pace  time.Duration
	calls int
	end   error // what reading ends with, once buf is empty
}

func newPlay(ctx context.Context, sleep func(context.Context, time.Duration) error, s *Step, found groups, model string, size int) *play {
	return &play{ctx: ctx, sleep: sleep, actions: s.Reply, found: found, model: model, usage: Usage{Input: size / 4}}
}

// start plays what comes before the first byte: delays, and an error that is the whole answer.
func (p *play) start() (*Failure, error) {
	for len(p.actions) > 0 {
		a := &p.actions[0]
		switch {
		case a.Delay > 0:
			if err := p.sleep(p.ctx, a.Delay); err != nil {
				return nil, err
			}
		case a.HasPace:
			p.pace = a.Pace
		case a.Usage != nil:
			p.usage = *a.Usage
		case a.Error != nil:
			return a.Error, nil
		default:
			p.delta(map[string]any{"role": "assistant", "content": ""})
			return nil, nil
		}
		p.actions = p.actions[1:]
	}
	p.delta(map[string]any{"role": "assistant", "content": ""})
	return nil, nil
}

// Read returns what there is, or plays on until there is something.
func (p *play) Read(b []byte) (int, error) {
	for len(p.buf) == 0 {
		if p.end != nil {
			return 0, p.end
		}
		if err := p.ctx.Err(); err != nil {
			return 0, err
		}
		if err := p.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.buf)
	p.buf = p.buf[n:]
	return n, nil
}

// Close ends the answer.
func (p *play) Close() error {
	p.end, p.buf = io.ErrClosedPipe, nil
	return nil
}

func (p *play) next() error {
	if len(p.words) > 0 {
		if p.pace > 0 {
			if err := p.sleep(p.ctx, p.pace); err != nil {
				return err
			}
		}
		p.delta(map[string]any{p.field: p.words[0]})
		p.words = p.words[1:]
		p.usage.Output++
		return nil
	}
	if len(p.actions) == 0 {
		p.finish("")
		return nil
	}
	a := &p.actions[0]
	p.actions = p.actions[1:]
	return p.act(a)
}

func (p *play) act(a *Action) error {
	switch {
	case a.Text != "":
		p.words, p.field = words(p.found.fill(a.Text)), "content"
	case a.Thought != "":
		p.words, p.field = words(p.found.fill(a.Thought)), "reasoning_content"
	case a.Call != nil:
		p.call(a.Call)
	case a.Delay > 0:
		return p.sleep(p.ctx, a.Delay)
	case a.HasPace:
		p.pace = a.Pace
	case a.Progress != nil:
		p.progress(*a.Progress)
	case a.Usage != nil:
		p.usage = *a.Usage
	case a.Error != nil:
		p.write([]byte(a.Error.json()))
		p.end = io.EOF
	case a.Break:
		p.end = io.ErrUnexpectedEOF
	case a.Finish != "":
		p.finish(a.Finish)
	}
	return nil
}

// words cuts a text after each run of white space.
func words(s string) []string {
	var list []string
	start, space := 0, false
	for i, r := range s {
		if space && !unicode.IsSpace(r) {
			list = append(list, s[start:i])
			start = i
		}
		space = unicode.IsSpace(r)
	}
	return append(list, s[start:])
}

// call streams a call: its name, then its arguments in two halves.
func (p *play) call(c *Call) {
	id := c.ID
	if id == "" {
		id = fmt.Sprintf("call_%d", p.calls)
	}
	args := c.Arguments.text(p.found.fill)
	half := len(args) / 2
	for half > 0 && !utf8.RuneStart(args[half]) {
		half--
	}
	p.fragment(map[string]any{"index": p.calls, "id": id, "type": "function",
		"function": map[string]any{"name": p.found.fill(c.Name), "arguments": args[:half]}})
	p.fragment(map[string]any{"index": p.calls, "function": map[string]any{"arguments": args[half:]}})
	p.calls++
	p.usage.Output += len(args)/4 + 1
}

func (p *play) fragment(call map[string]any) {
	p.delta(map[string]any{"tool_calls": []any{call}})
}

func (p *play) progress(f float64) {
	const total = 1000
	p.chunk(map[string]any{"choices": []any{}, "prompt_progress": map[string]any{"total": total, "processed": int(f * total)}})
}

// finish ends the answer with its reason, the usage and [DONE].
func (p *play) finish(reason string) {
	if reason == "" {
		reason = "stop"
		if p.calls > 0 {
			reason = "tool_calls"
		}
	}
	p.chunk(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}})
	p.chunk(map[string]any{"choices": []any{}, "usage": map[string]any{
		"prompt_tokens": p.usage.Input, "completion_tokens": p.usage.Output, "total_tokens": p.usage.Input + p.usage.Output,
		"prompt_tokens_details": map[string]any{"cached_tokens": p.usage.Cached}}})
	p.write([]byte("[DONE]"))
	p.end = io.EOF
}

func (p *play) delta(delta map[string]any) {
	p.chunk(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": nil}}})
}

func (p *play) chunk(c map[string]any) {
	c["id"], c["object"], c["model"], c["created"] = "chatcmpl-script", "chat.completion.chunk", p.model, 0
	data, err := json.Marshal(c)
	if err != nil {
		p.end = err
		return
	}
	p.write(data)
}

func (p *play) write(data []byte) {
	p.buf = append(p.buf, "data: "...)
	p.buf = append(p.buf, data...)
	p.buf = append(p.buf, "\n\n"...)
}
