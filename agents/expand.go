package agents

import (
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// expand puts in the values of the environment for ${NAME} and ${NAME:-default}, as a shell does:
// the default counts when the variable is unset or empty. $${ is a literal ${. Anything else with
// a dollar stays as it is, so that "$HOME" in the arguments of a shell reaches the shell.
func (w *walker) expand(n *yaml.Node, s *spec) (string, bool) {
	var out strings.Builder
	ok := true
	for text := n.Value; ; {
		i := strings.Index(text, "${")
		if i < 0 {
			out.WriteString(text)
			return out.String(), ok
		}
		if i > 0 && text[i-1] == '$' {
			out.WriteString(text[:i-1] + "${")
			text = text[i+2:]
			continue
		}
		out.WriteString(text[:i])
		end := strings.IndexByte(text[i:], '}')
		if end < 0 {
			w.badReference(n, "${", `${ has no } after it in %s — a literal one is written $${`, w.name())
			return "", false
		}
		reference := text[i : i+end+1]
		value, good := w.reference(n, reference, s)
		ok = ok && good
		out.WriteString(value)
		text = text[i+end+1:]
	}
}

// reference gives the value of one ${…}.
func (w *walker) reference(n *yaml.Node, reference string, s *spec) (string, bool) {
	name, fallback, hasFallback := strings.Cut(reference[2:len(reference)-1], ":-")
	if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(name) {
		w.badReference(n, reference, "%s in %s is neither ${NAME} nor ${NAME:-default} — a literal ${ is written $${",
			shownReference(reference, s), w.name())
		return "", false
	}
	value, set := w.env.lookup(name)
	if hasFallback && value == "" {
		value, set = fallback, true
	}
	if !set {
		w.badReference(n, "${"+name, "%s needs the environment variable %s, which isn't set — set it, or give a default: ${%s:-…}",
			w.name(), name, name)
		return "", false
	}
	if s.secret || secretName(name) {
		w.secret(value)
	}
	return value, true
}

func shownReference(reference string, s *spec) string {
	if s.secret {
		return "${…}"
	}
	return quote(reference)
}

// badReference is a problem whose place is where the reference stands, not where its text begins.
func (w *walker) badReference(n *yaml.Node, text, format string, args ...any) {
	at := *n
	at.Line, at.Column = w.src.after(n.Line, n.Column, text)
	w.problem(&at, format, args...)
}
