package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mini-me/mm/internal/clip"
)

// listed is a tool as its server lists it.
type listed struct {
	name, description string
	schema            json.RawMessage
	task              bool // it can only be called as a task, which this client doesn't do
}

// list asks for all tools, in the order of their names: a server's own may change from one start to
// the next, and with it the front of every request.
func (c *conn) list(ctx context.Context) ([]listed, error) {
	var list []listed
	for t, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			if answer := asRPC(err); answer != nil && answer.Code == codeNoMethod {
				return nil, nil // it has none
			}
			return nil, err
		}
		if len(list) > c.limits.tools {
			break
		}
		list = append(list, c.listed(t))
	}
	slices.SortStableFunc(list, func(a, b listed) int { return strings.Compare(a.name, b.name) })
	return slices.CompactFunc(list, func(a, b listed) bool { return a.name == b.name }), nil
}

func (c *conn) listed(t *sdk.Tool) listed {
	l := listed{name: t.Name, description: t.Description}
	if l.description == "" {
		l.description = t.Title
	}
	c.lists.collect()
	if raw, ok := c.lists.tool(t.Name); ok {
		l.schema, l.task = raw.InputSchema, raw.Execution.TaskSupport == "required"
	} else if raw, err := json.Marshal(t.InputSchema); err == nil {
		l.schema = raw
	}
	return l
}

// choose makes the tools of a list. A tool that is as it was stays the same object. Only the
// goroutine of the server's run calls it, which is the only one that changes s.tools; schemas are
// read without the mutex.
func (s *server) choose(list []listed) []*Tool {
	if len(list) > s.all.limits.tools {
		s.warn("more than %d tools: the rest isn't declared — tools: in the agent file chooses", s.all.limits.tools)
		list = list[:s.all.limits.tools]
	}
	s.warnUnknown(list)
	var now []*Tool
	for _, l := range list {
		switch {
		case s.Tools != nil && !slices.Contains(s.Tools, l.name), l.name == "":
			continue
		case l.task:
			s.warn("%s can only be called as a task, which mm doesn't do: it isn't declared", l.name)
			continue
		}
		raw := l.description + "\x00" + string(l.schema)
		if i := slices.IndexFunc(s.tools, func(t *Tool) bool { return t.name == l.name && t.raw == raw }); i >= 0 {
			now = append(now, s.tools[i])
			continue
		}
		now = append(now, newTool(s, l.name, l.description, l.schema, raw))
	}
	return now
}

// applyLocked takes over what choose has made.
func (s *server) applyLocked(now []*Tool) {
	if !slices.Equal(now, s.tools) {
		s.tools = now
		s.all.changeLocked()
	}
}

// warnUnknown names what the allow list asks for in vain.
func (s *server) warnUnknown(list []listed) {
	names := make([]string, len(list))
	for i, l := range list {
		names[i] = l.name
	}
	for _, want := range s.Tools {
		if !slices.Contains(names, want) {
			s.warn("no tool %q — it has: %s", want, clip.To(strings.Join(names, ", "), 400))
		}
	}
}
