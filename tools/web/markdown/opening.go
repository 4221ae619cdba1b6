package markdown

// openMarks opens marks before something of the given class. A mark that CommonMark wouldn't read
// as opening there stays closed; inside a link it is tried again.
func (e *emitter) openMarks(next []mark, st style, first class) {
	var buf [4]mark
	again := buf[:0]
	for i, m := range next {
		after := first
		stars := 0
		for _, n := range next[i:] {
			if n.sign() != m.sign() {
				after = punctuation
				break
			}
			stars += len(n.text())
		}
		if m == linkStyle || opens(e.before(m.sign()), after) && !e.wouldClose(m, stars, after) {
			e.openMark(m, st)
		} else {
			again = append(again, m)
		}
	}
	e.noteRun()
	if len(again) > 0 && len(again) < len(next) && e.open[len(e.open)-1].mark == linkStyle {
		e.openMarks(again, st, first)
	}
}

// wouldClose reports whether CommonMark would let a run of stars close a mark that is open, rather
// than open a new one: it can close, and its length and that of the other's run don't forbid it
// (the rule of three). So ***a**b**c*** would end at the third run.
func (e *emitter) wouldClose(m mark, stars int, after class) bool {
	if m.sign() != '*' || !closes(e.before('*'), after) {
		return false
	}
	stars += e.trailing()
	for _, o := range e.open {
		if o.mark.sign() == '*' && o.start < len(e.out)-e.trailing() && ((o.run+stars)%3 != 0 || o.run%3 == 0 && stars%3 == 0) {
			return true
		}
	}
	return false
}

// trailing returns how many stars of marks end the line so far.
func (e *emitter) trailing() int {
	n := 0
	for i := len(e.out); i > e.start && e.out[i-1] == '*'; i-- {
		n++
	}
	if i := len(e.out) - n; n > 0 && i > e.start && e.out[i-1] == '\\' && oddRun(e.out[e.start:i], '\\') {
		n-- // the first one is text
	}
	return n
}

// oddRun reports whether s ends in an odd number of c.
func oddRun(s []byte, c byte) bool {
	n := 0
	for n < len(s) && s[len(s)-1-n] == c {
		n++
	}
	return n%2 == 1
}

// noteRun notes the length of the run that the marks just opened are a part of.
func (e *emitter) noteRun() {
	n := e.trailing()
	for i := len(e.open) - 1; i >= 0 && e.open[i].start >= len(e.out)-n; i-- {
		e.open[i].run = n
	}
}

func (e *emitter) openMark(m mark, st style) {
	// "!" before a link would make an image of it.
	bang := len(e.out) > e.start && e.out[len(e.out)-1] == '!'
	if m == linkStyle && bang {
		e.insert(len(e.out)-1, "\\")
	}
	o := opened{mark: m, start: len(e.out), first: e.at != inside && len(e.out) == e.start, code: e.afterCode(), bang: bang}
	if m == linkStyle {
		o.link = st.link()
	}
	e.out = append(e.out, m.text()...)
	o.text = len(e.out)
	e.open = append(e.open, o)
	e.at = inside
}
