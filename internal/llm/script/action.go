package script

import (
	"fmt"
	"net/http"
	"strings"

	"gopkg.in/yaml.v3"
)

func actionNames() []string {
	return []string{"text", "thought", "call", "delay", "pace", "progress", "usage", "error", "break", "finish"}
}

// reply reads a list of actions; a plain text is one action.
func (p *parser) reply(n *yaml.Node) []Action {
	if n.Kind == yaml.ScalarNode {
		text, _ := p.text(n, "reply")
		return []Action{{Text: text}}
	}
	if n.Kind != yaml.SequenceNode {
		p.problem(n, "reply: want a list of actions or a text, got %s", kindName(n))
		return nil
	}
	var actions []Action
	ended := ""
	for _, item := range n.Content {
		if ended != "" {
			p.problem(item, "nothing can follow %q", ended)
			break
		}
		a, name := p.action(item)
		switch name {
		case "error", "break", "finish":
			ended = name
		}
		actions = append(actions, a)
	}
	return actions
}

// action reads one action: a key with its value.
func (p *parser) action(n *yaml.Node) (Action, string) {
	var a Action
	if n.Kind == yaml.MappingNode && len(n.Content) > 2 {
		p.problem(n.Content[2], "one action has one key: begin a new one with \"- %s:\"", n.Content[2].Value)
	}
	name := ""
	p.members(n, "action", actionNames(), func(key string, v *yaml.Node) {
		name = key
		switch key {
		case "text":
			a.Text, _ = p.text(v, key)
		case "thought":
			a.Thought, _ = p.text(v, key)
		case "call":
			a.Call = p.call(v)
		case "delay":
			a.Delay = p.duration(v, key)
		case "pace":
			a.Pace, a.HasPace = p.duration(v, key), true
		case "progress":
			f := p.fraction(v, key)
			a.Progress = &f
		case "usage":
			a.Usage = p.usage(v)
		case "error":
			a.Error = p.failure(v)
		case "break":
			a.Break = p.yes(v, key)
		case "finish":
			a.Finish, _ = p.text(v, key)
		}
	})
	return a, name
}

func (p *parser) call(n *yaml.Node) *Call {
	c := &Call{}
	p.members(n, "call", []string{"name", "arguments", "id"}, func(key string, v *yaml.Node) {
		switch key {
		case "name":
			c.Name, _ = p.text(v, "call name")
		case "id":
			c.ID, _ = p.text(v, "call id")
		case "arguments":
			if v.Kind == yaml.SequenceNode {
				p.problem(v, "arguments: want keys, or a text that is sent as it is")
			}
			p.plainKeys(v)
			c.Arguments = value{v}
		}
	})
	if c.Name == "" && n.Kind == yaml.MappingNode {
		p.problem(n, "this call has no name")
	}
	return c
}

// plainKeys checks that what becomes a JSON object can be one.
func (p *parser) plainKeys(n *yaml.Node) {
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			p.plainKeys(child)
			continue
		}
		if child.Kind != yaml.ScalarNode {
			p.problem(child, "arguments: want a name as key, got %s", kindName(child))
		}
		for j := 0; j < i; j += 2 {
			if n.Content[j].Value == child.Value {
				p.problem(child, "key %q is already set on line %d", child.Value, n.Content[j].Line)
			}
		}
	}
}

func (p *parser) usage(n *yaml.Node) *Usage {
	u := &Usage{}
	p.members(n, "usage", []string{"input", "output", "cached"}, func(key string, v *yaml.Node) {
		tokens := p.integer(v, key, 0)
		switch key {
		case "input":
			u.Input = tokens
		case "output":
			u.Output = tokens
		case "cached":
			u.Cached = tokens
		}
	})
	return u
}

func (p *parser) failure(n *yaml.Node) *Failure {
	f := &Failure{Status: http.StatusInternalServerError, Headers: map[string]string{}}
	p.members(n, "error", []string{"status", "message", "type", "code", "headers"}, func(key string, v *yaml.Node) {
		switch key {
		case "status":
			if f.Status = p.integer(v, key, 400); f.Status > 599 {
				p.problem(v, "status: want a number from 400 to 599")
			}
		case "message":
			f.Message, _ = p.text(v, key)
		case "type":
			f.Type, _ = p.text(v, key)
		case "code":
			f.Code, _ = p.text(v, key)
		case "headers":
			p.headers(v, f.Headers)
		}
	})
	if f.Message == "" {
		f.Message = strings.TrimSpace(fmt.Sprintf("%d %s", f.Status, http.StatusText(f.Status)))
	}
	return f
}

func (p *parser) headers(n *yaml.Node, into map[string]string) {
	if n.Kind != yaml.MappingNode {
		p.problem(n, "headers: want names with texts, got %s", kindName(n))
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if text, ok := p.text(n.Content[i+1], n.Content[i].Value); ok {
			into[n.Content[i].Value] = text
		}
	}
}
