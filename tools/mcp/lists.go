package mcp

import (
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lists keeps the tools of a server as it wrote them. The SDK reads schemas into maps, which lose
// the order of their keys, the order in which a model fills them, and drops what it doesn't know.
type lists struct {
	mu       sync.Mutex
	open     map[jsonrpc.ID]bool        // guarded by mu: tools/list requests without an answer
	captures []*capture                 // guarded by mu: answers that weren't looked at yet
	tools    map[string]json.RawMessage // guarded by mu: the last of each name
}

func newLists() *lists {
	return &lists{open: map[jsonrpc.ID]bool{}, tools: map[string]json.RawMessage{}}
}

// asked notes a tools/list request.
func (l *lists) asked(id jsonrpc.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[id] = true
}

// answered keeps the tools of the answer to one.
func (l *lists) answered(r *jsonrpc.Response) {
	l.mu.Lock()
	open := l.open[r.ID]
	delete(l.open, r.ID)
	l.mu.Unlock()
	if open && r.Error == nil {
		l.keep(r.Result)
	}
}

// keep reads the result of tools/list.
func (l *lists) keep(result json.RawMessage) {
	var page struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(result, &page) != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, raw := range page.Tools {
		var t struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(raw, &t) == nil && len(l.tools) < 10_000 {
			l.tools[t.Name] = raw
		}
	}
}

// capture returns a place for the answer to a tools/list over HTTP.
func (l *lists) capture(stream bool, limit int64) *capture {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &capture{stream: stream, limit: limit}
	l.captures = append(l.captures, c)
	return c
}

// capture is a copy of the answer to a tools/list, while the SDK reads it.
type capture struct {
	stream bool
	limit  int64

	mu   sync.Mutex
	text []byte // guarded by mu
}

func (c *capture) add(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if int64(len(c.text)+len(p)) <= c.limit {
		c.text = append(c.text, p...)
	}
}

// collect looks at the captured answers. What the SDK has returned is in them.
func (l *lists) collect() {
	l.mu.Lock()
	captures := l.captures
	l.captures = nil
	l.mu.Unlock()
	for _, c := range captures {
		c.mu.Lock()
		text := c.text
		c.mu.Unlock()
		for _, r := range results(text, c.stream) {
			l.keep(r.Result)
		}
	}
}

// rawTool is what the protocol says of a tool beyond what the SDK keeps.
type rawTool struct {
	InputSchema json.RawMessage `json:"inputSchema"`
	Execution   struct {
		TaskSupport string `json:"taskSupport"`
	} `json:"execution"`
}

// tool returns a tool as it was written; ok is false for one that wasn't seen.
func (l *lists) tool(name string) (t rawTool, ok bool) {
	l.mu.Lock()
	raw := l.tools[name]
	l.mu.Unlock()
	return t, raw != nil && json.Unmarshal(raw, &t) == nil && len(t.InputSchema) > 0
}
