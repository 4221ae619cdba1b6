package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Answer writes what the model answers. Each method sends its piece at once. An answer that isn't
// finished when the handler returns is finished with "stop" or "tool_calls".
type Answer struct {
	w     http.ResponseWriter
	ctx   context.Context
	began bool
	ended bool
	calls int
	usage []int
}

// Context is done when the client goes away.
func (a *Answer) Context() context.Context { return a.ctx }

// Text sends a piece of text.
func (a *Answer) Text(s string) { a.delta(map[string]any{"content": s}) }

// Thought sends a piece of reasoning.
func (a *Answer) Thought(s string) { a.delta(map[string]any{"reasoning_content": s}) }

// Call sends a whole call.
func (a *Answer) Call(name, arguments string) {
	a.CallPiece(a.calls, fmt.Sprintf("call_%d", a.calls), name, arguments)
}

// CallPiece sends a piece of a call; id and name belong to its first piece.
func (a *Answer) CallPiece(index int, id, name, arguments string) {
	call := map[string]any{"index": index, "function": map[string]any{"name": name, "arguments": arguments}}
	if id != "" {
		call["id"], call["type"] = id, "function"
	}
	a.calls = max(a.calls, index+1)
	a.delta(map[string]any{"tool_calls": []any{call}})
}

// Progress tells how much of the prompt has been read.
func (a *Answer) Progress(done, total int) {
	a.Chunk(map[string]any{"choices": []any{}, "prompt_progress": map[string]int{"processed": done, "total": total}})
}

// Usage sets the usage that is sent at the end.
func (a *Answer) Usage(input, output, cached int) { a.usage = []int{input, output, cached} }

// Finish ends the answer.
func (a *Answer) Finish(reason string) {
	a.Chunk(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}})
	if a.usage != nil {
		a.Chunk(map[string]any{"choices": []any{}, "usage": map[string]any{
			"prompt_tokens": a.usage[0], "completion_tokens": a.usage[1],
			"prompt_tokens_details": map[string]int{"cached_tokens": a.usage[2]}}})
	}
	a.Raw("data: [DONE]\n\n")
	a.ended = true
}

// Refuse answers with a status and a body instead of a stream. headers are names and values.
func (a *Answer) Refuse(status int, body string, headers ...string) {
	a.w.Header().Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		a.w.Header().Set(headers[i], headers[i+1])
	}
	a.w.WriteHeader(status)
	a.began, a.ended = true, true
	_, _ = a.w.Write([]byte(body))
}

// Cut breaks the connection.
func (a *Answer) Cut() { panic(http.ErrAbortHandler) }

// End ends the stream without a finish.
func (a *Answer) End() { a.ended = true }

// Raw sends bytes as they are.
func (a *Answer) Raw(s string) {
	if !a.began {
		a.began = true
		a.w.Header().Set("Content-Type", "text/event-stream")
	}
	_, _ = a.w.Write([]byte(s))
	_ = http.NewResponseController(a.w).Flush()
}

// Chunk sends one event.
func (a *Answer) Chunk(c map[string]any) {
	c["id"], c["object"], c["model"], c["created"] = "chatcmpl-test", "chat.completion.chunk", "test-model", 0
	data, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	a.Raw("data: " + string(data) + "\n\n")
}

func (a *Answer) delta(d map[string]any) {
	a.Chunk(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": d, "finish_reason": nil}}})
}

func (a *Answer) close() {
	switch {
	case a.ended || a.ctx.Err() != nil:
	case a.calls > 0:
		a.Finish("tool_calls")
	default:
		a.Finish("stop")
	}
}
