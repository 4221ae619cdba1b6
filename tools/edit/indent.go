package edit

import (
	"slices"
	"strings"
)

// indenter gives the lines of a new text the indentation of the document. What it knows are the
// lines of old and those they matched: each pair says how an indentation of the model is written
// in the file. In between and beyond it counts units.
type indenter struct {
	news  []string
	first sample   // of the first line, whose indentation models drop most
	rest  []sample // of the others
	// unit is one step of the model's indentation in columns; a tab counts as one step.
	unit int
	// step is one step of the file's indentation.
	step string
	// shift is added to the columns of the first line of new, and to those of the others.
	shift, restShift int
	// asIs is set for the lines from that index on that have the file's indentation already.
	asIs int
}

// sample is how an indentation of the model, in columns, is written in the file.
type sample struct {
	cols int
	file string
}

func newIndenter(d *document, old, pieces, news []string) *indenter {
	in := &indenter{news: news, unit: unitOf(old, news), asIs: len(news)}
	for i, o := range old {
		if blank(o) {
			continue
		}
		s := sample{in.cols(o), indentOf(pieces[i])}
		if i == 0 {
			in.first = s
		} else {
			in.rest = append(in.rest, s)
		}
	}
	in.step = in.fileStep(d)
	in.findAsIs(old)
	if in.asIs > 0 {
		in.findShift(old)
	}
	return in
}

// cols is the width of the indentation of line.
func (in *indenter) cols(line string) int {
	n := 0
	for _, r := range indentOf(line) {
		if r == '\t' {
			n += in.unit
		} else {
			n++
		}
	}
	return n
}

// unitOf is the step that old and new are indented by, in columns. Where they use tabs alone a
// step is eight, so that blanks behind a tab stay fewer than a step.
//
// Lines go one step deeper at a time, but may go back several: what they go back by counts only
// where none goes deeper, and the shortest way back is then the step.
func unitOf(old, news []string) int {
	deeper, least, back := map[int]int{}, 0, 0
	for _, lines := range [][]string{old, news} {
		last := -1
		for i, l := range lines {
			w := len(indentOf(l))
			if blank(l) || strings.Contains(l[:w], "\t") {
				continue
			}
			if w > 0 && (least == 0 || w < least) {
				least = w
			}
			// The first line often lacks its indentation: the step after it says little.
			lacks := i == 1 && last == 0 && len(lines) > 2
			switch step := w - last; {
			case last < 0 || lacks:
			case step > 1:
				deeper[step]++
			case step < -1 && (back == 0 || -step < back):
				back = -step
			}
			last = w
		}
	}
	switch step := commonest(deeper); {
	case least == 0:
		return 8
	case step > 0:
		return step
	case back > 0:
		return back
	}
	return least
}

// commonest is the key with the highest count, the smallest of several; 0 if there is none.
func commonest(count map[int]int) int {
	best := 0
	for k, n := range count {
		if best == 0 || n > count[best] || n == count[best] && k < best {
			best = k
		}
	}
	return best
}

// fileStep is one step of the file's indentation: as the samples show it, else as the whole file.
func (in *indenter) fileStep(d *document) string {
	all := append([]sample{in.first}, in.rest...)
	for _, a := range all {
		for _, b := range all {
			if more, ok := strings.CutPrefix(b.file, a.file); ok && b.cols-a.cols == in.unit && more != "" {
				return more
			}
		}
	}
	tabs, spaces, count := 0, 0, map[int]int{}
	last := 0
	for i := range d.split() {
		l := d.content(i)
		switch {
		case blank(l):
			continue
		case l[0] == '\t':
			tabs++
			continue
		case l[0] == ' ':
			spaces++
		}
		w := len(l) - len(strings.TrimLeft(l, " "))
		if step := w - last; step > 1 && step <= 8 {
			count[step]++
		}
		last = w
	}
	local := in.first.file
	for _, s := range in.rest {
		local += s.file
	}
	switch n := commonest(count); {
	case strings.Contains(local, "\t"), local == "" && tabs > spaces:
		return "\t"
	case n > 0:
		return strings.Repeat(" ", n)
	case local == "" && slices.ContainsFunc(in.news, func(l string) bool { return strings.HasPrefix(l, "\t") }):
		return "\t"
	}
	return strings.Repeat(" ", in.unit)
}

// findAsIs finds the lines of new that the model has written with the file's own indentation,
// although old had another one.
func (in *indenter) findAsIs(old []string) {
	if in.first.file == "" || indentOf(old[0]) == in.first.file {
		return
	}
	i := slices.IndexFunc(in.news, func(l string) bool { return !blank(l) })
	if i < 0 {
		return
	}
	if indentOf(in.news[i]) == in.first.file {
		in.asIs = i
		return
	}
	// One line of old without its indentation says nothing of how the lines after it are meant.
	if len(old) > 1 || in.first.cols > 0 || len(in.news) == i+1 {
		return
	}
	for _, l := range in.news[i+1:] {
		if !blank(l) && !strings.HasPrefix(l, in.first.file) {
			return
		}
	}
	in.asIs = i + 1
}

// findShift finds out whether new lacks the indentation that all of old has.
func (in *indenter) findShift(old []string) {
	base := in.first.cols
	for _, s := range in.rest {
		base = min(base, s.cols)
	}
	var filled []string
	for _, l := range in.news {
		if !blank(l) {
			filled = append(filled, l)
		}
	}
	if len(filled) == 0 || in.cols(filled[0]) >= base {
		return
	}
	least := in.cols(filled[0])
	for _, l := range filled {
		least = min(least, in.cols(l))
	}
	in.shift = base - least
	if strings.TrimSpace(filled[0]) == strings.TrimSpace(old[0]) {
		in.shift = in.first.cols - in.cols(filled[0])
	}
	if !in.firstOnly(old, filled, base) {
		in.restShift = in.shift
	}
}

// firstOnly reports whether only the first line of new lacks the indentation base: lines that
// stand in old too tell, else how far the second line is from the first.
func (in *indenter) firstOnly(old, filled []string, base int) bool {
	if len(filled) < 2 {
		return true
	}
	if slices.ContainsFunc(filled[1:], func(l string) bool { return in.cols(l) < base }) {
		return false
	}
	at := map[string]int{}
	for _, o := range old {
		at[strings.TrimSpace(o)] = in.cols(o)
	}
	same, less := 0, 0
	for _, l := range filled[1:] {
		cols, ok := at[strings.TrimSpace(l)]
		switch {
		case ok && cols == in.cols(l):
			same++
		case ok && cols == in.cols(l)+in.shift:
			less++
		}
	}
	if same != less {
		return same > less
	}
	return in.cols(filled[1])-in.cols(filled[0]) > in.unit
}

// line is line j of new as the file would have it.
func (in *indenter) line(j int) string {
	l := in.news[j]
	if blank(l) {
		return ""
	}
	if j >= in.asIs {
		return l
	}
	text := l[len(indentOf(l)):]
	if j == 0 || allBlank(in.news[:j]) {
		if cols := in.cols(l) + in.shift; cols != in.first.cols {
			return in.at(cols, append([]sample{in.first}, in.rest...)) + text
		}
		return in.first.file + text
	}
	samples := in.rest
	if len(samples) == 0 || !slices.ContainsFunc(samples, func(s sample) bool { return s.cols == in.cols(l)+in.restShift }) &&
		in.first.cols == in.cols(l)+in.restShift {
		samples = []sample{in.first}
	}
	return in.at(in.cols(l)+in.restShift, samples) + text
}

func allBlank(lines []string) bool {
	return !slices.ContainsFunc(lines, func(l string) bool { return !blank(l) })
}

// at writes an indentation of so many columns: from the deepest sample that isn't deeper, else
// from the shallowest one.
func (in *indenter) at(cols int, samples []sample) string {
	best := samples[0]
	for _, s := range samples[1:] {
		if s.cols <= cols && (best.cols > cols || s.cols >= best.cols) || best.cols > cols && s.cols < best.cols {
			best = s
		}
	}
	more := cols - best.cols
	if more >= 0 {
		return best.file + strings.Repeat(in.step, more/in.unit) + strings.Repeat(" ", more%in.unit)
	}
	out := best.file
	for range -more / in.unit {
		out = strings.TrimSuffix(out, in.step)
	}
	for range -more % in.unit {
		out = strings.TrimSuffix(out, " ")
	}
	return out
}
