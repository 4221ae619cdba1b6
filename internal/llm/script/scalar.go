package script

import (
	"strconv"
	"time"

	"gopkg.in/yaml.v3"
)

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "a boolean"
	case "!!int", "!!float":
		return "a number"
	}
	return "a text"
}

// text reads a text. Numbers and booleans are taken as they are written.
func (p *parser) text(n *yaml.Node, what string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		p.problem(n, "%s: want a text, got %s", what, kindName(n))
		return "", false
	}
	return n.Value, true
}

func (p *parser) integer(n *yaml.Node, what string, least int) int {
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || v < least {
		p.problem(n, "%s: want a whole number from %d", what, least)
		return 0
	}
	return v
}

func (p *parser) fraction(n *yaml.Node, what string) float64 {
	v, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || !(v >= 0 && v <= 1) {
		p.problem(n, "%s: want a number from 0 to 1", what)
		return 0
	}
	return v
}

// duration reads "500ms", "2s", or plain seconds.
func (p *parser) duration(n *yaml.Node, what string) time.Duration {
	d, err := time.ParseDuration(n.Value)
	if seconds, ferr := strconv.ParseFloat(n.Value, 64); ferr == nil {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if n.Kind != yaml.ScalarNode || err != nil || d < 0 || d > 24*time.Hour {
		p.problem(n, "%s: want a duration such as 500ms or 2s", what)
		return 0
	}
	return d
}

func (p *parser) yes(n *yaml.Node, what string) bool {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" || n.Value != "true" {
		p.problem(n, "%s: want true", what)
		return false
	}
	return true
}
