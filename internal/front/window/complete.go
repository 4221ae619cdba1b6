package window

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// completion is what Tab offers.
type completion struct {
	list []string
	at   int // the one that stands in the input
	n    int // bytes of it there
}

// complete completes what stands before the cursor: a command, or an agent behind /ask.
func (m *model) complete() {
	before, first := m.input.buf.Before()
	if !first || !strings.HasPrefix(before, "/") {
		return
	}
	word, list := m.candidates(before)
	common := commonPrefix(list)
	switch {
	case len(list) == 0:
		m.flash("nothing to complete")
	case len(list) == 1:
		m.input.buf.ReplaceBefore(len(word), list[0]+" ")
	case len(common) > len(word):
		m.input.buf.ReplaceBefore(len(word), common)
	default:
		m.picker = completion{list: list, at: -1, n: len(word)}
		m.flash(strings.Join(list, "  "))
	}
}

// candidates are what the last word of a command line may become.
func (m *model) candidates(line string) (word string, list []string) {
	all := []string{}
	if command, _, ok := strings.Cut(line, " "); ok {
		word = line[strings.LastIndexByte(line, ' ')+1:]
		if command == "/ask" && strings.Count(line, " ") == 1 {
			for _, a := range m.engine.Agents() {
				all = append(all, a.Name)
			}
		}
	} else {
		word = line
		for _, c := range m.session.Commands() {
			all = append(all, "/"+c.Name)
		}
	}
	for _, c := range all {
		if strings.HasPrefix(c, word) {
			list = append(list, c)
		}
	}
	return word, list
}

func commonPrefix(list []string) string {
	if len(list) == 0 {
		return ""
	}
	p := list[0]
	for _, s := range list[1:] {
		for !strings.HasPrefix(s, p) {
			p = p[:len(p)-1]
		}
	}
	return p
}

// completing goes through what Tab has offered, with further Tabs.
func (m *model) completing(k tea.KeyPressMsg) bool {
	p := &m.picker
	if len(p.list) == 0 {
		return false
	}
	step := 0
	switch k.String() {
	case "tab":
		step = 1
	case "shift+tab":
		step = -1
	default:
		m.picker = completion{}
		return false
	}
	p.at = (p.at + step + len(p.list)) % len(p.list)
	m.input.buf.ReplaceBefore(p.n, p.list[p.at])
	p.n = len(p.list[p.at])
	m.flash(strings.Join(p.list, "  "))
	return true
}
