package script

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Parse reads a script. The error is Problems, all that are there; file names it in them.
func Parse(file string, text []byte) (*Script, error) {
	if file == "" {
		file = "script"
	}
	p := &parser{file: file}
	root := p.document(text)
	s := &Script{}
	if root != nil {
		s.Steps = p.steps(root)
	}
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int {
			return cmp.Or(a.Line-b.Line, a.Column-b.Column)
		})
		return nil, p.problems
	}
	return s, nil
}

// parser walks over the YAML nodes, so that each problem has its place.
type parser struct {
	file     string
	problems Problems
}

func (p *parser) problem(n *yaml.Node, format string, args ...any) {
	line, column := 1, 1
	if n != nil {
		line, column = max(1, n.Line), max(1, n.Column)
	}
	p.problems = append(p.problems, Problem{p.file, line, column, fmt.Sprintf(format, args...)})
}

// document returns the only document's node.
func (p *parser) document(text []byte) *yaml.Node {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			p.problem(nil, "the script is empty: want a list of steps")
			return nil
		}
		p.syntax(err)
		return nil
	}
	if err := dec.Decode(&more); err == nil {
		p.problem(&more, "a second document: a script is one list of steps")
	} else if !errors.Is(err, io.EOF) {
		p.syntax(err)
	}
	if len(doc.Content) == 0 || p.aliases(doc.Content[0]) {
		return nil
	}
	return doc.Content[0]
}

// aliases reports those of YAML, which could be endless, as problems.
func (p *parser) aliases(n *yaml.Node) bool {
	found := n.Kind == yaml.AliasNode
	if found {
		p.problem(n, "*%s: a script has no aliases, write it out", n.Value)
	}
	for _, child := range n.Content {
		found = p.aliases(child) || found
	}
	return found
}

// syntax reports an error of the YAML reader, which has a line at best.
func (p *parser) syntax(err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	n := &yaml.Node{Line: 1, Column: 1}
	if m := regexp.MustCompile(`^line (\d+): (.*)$`).FindStringSubmatch(text); m != nil {
		n.Line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	p.problem(n, "%s", text)
}

func (p *parser) steps(root *yaml.Node) []Step {
	if root.Kind != yaml.SequenceNode {
		p.problem(root, "want a list of steps, got %s", kindName(root))
		return nil
	}
	if len(root.Content) == 0 {
		p.problem(root, "the script has no steps")
	}
	var steps []Step
	for _, n := range root.Content {
		steps = append(steps, p.step(n))
	}
	return steps
}

func (p *parser) step(n *yaml.Node) Step {
	s := Step{Line: n.Line}
	replied := false
	p.members(n, "step", []string{"when", "times", "reply"}, func(key string, v *yaml.Node) {
		switch key {
		case "when":
			p.when(v, &s)
		case "times":
			s.Times = p.integer(v, "times", 1)
		case "reply":
			replied = true
			s.Reply = p.reply(v)
		}
	})
	if !replied && n.Kind == yaml.MappingNode {
		p.problem(n, "this step has no reply")
	}
	return s
}

func (p *parser) when(n *yaml.Node, s *Step) {
	p.members(n, "when", []string{"user", "tool", "from", "question", "system"}, func(key string, v *yaml.Node) {
		re := p.expression(v, key)
		switch key {
		case "user":
			s.User = re
		case "tool":
			s.Tool = re
		case "from":
			s.From = re
		case "question":
			s.Question = re
		case "system":
			s.System = re
		}
	})
	if s.User != nil && (s.Tool != nil || s.From != nil) {
		p.problem(n, `"user" and "tool" can't both be the last message: use "question" for the user's text`)
	}
}

func (p *parser) expression(n *yaml.Node, key string) *regexp.Regexp {
	text, ok := p.text(n, key)
	if !ok {
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		p.problem(n, "%s: %s", key, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		return nil
	}
	return re
}

// members calls each for the keys of a mapping. Unknown and repeated keys are problems.
func (p *parser) members(n *yaml.Node, what string, keys []string, each func(key string, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.problem(n, "%s: want keys (%s), got %s", what, strings.Join(keys, ", "), kindName(n))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if !slices.Contains(keys, k.Value) {
			p.unknown(k, keys)
			continue
		}
		if line, again := seen[k.Value]; again {
			p.problem(k, "key %q is already set on line %d", k.Value, line)
			continue
		}
		seen[k.Value] = k.Line
		each(k.Value, v)
	}
}

func (p *parser) unknown(k *yaml.Node, keys []string) {
	if near := nearest(k.Value, keys); near != "" {
		p.problem(k, "unknown key %q — did you mean %q?", k.Value, near)
		return
	}
	p.problem(k, "unknown key %q: want one of %s", k.Value, strings.Join(keys, ", "))
}
