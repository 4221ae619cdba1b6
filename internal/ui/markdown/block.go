package markdown

import "strings"

// line reads one line.
func (d *Doc) line(line string) {
	s := &d.state
	line = strings.TrimSuffix(untab(line), "\r")
	depth, rest := s.match(line)
	if s.fence.open && depth >= s.fence.depth {
		d.codeLine(rest)
		return
	}
	s.fence.open = false
	if strings.TrimSpace(rest) == "" {
		if depth < len(s.in) && s.in[depth].quote {
			s.in = s.in[:depth:depth]
		}
		s.para, s.table, s.blank = false, false, true
		return
	}
	if depth < len(s.in) && s.para && !startsBlock(rest) {
		d.more(rest) // a paragraph goes on though its line doesn't say so
		return
	}
	if depth < len(s.in) {
		s.in, s.para, s.table = s.in[:depth:depth], false, false
	}
	d.leaf(s.enter(rest))
	s.blank = false
}

// match returns how many of the open containers a line continues, and what follows their marks.
func (s *state) match(line string) (int, string) {
	for i, c := range s.in {
		ind := indent(line)
		switch {
		case c.quote && ind <= 3 && strings.HasPrefix(line[ind:], ">"):
			line = strings.TrimPrefix(line[ind+1:], " ")
		case c.quote:
			return i, line
		case ind == len(line): // an empty line belongs to the item
			line = ""
		case ind >= c.indent:
			line = line[c.indent:]
		case ind >= 2 && isMarker(line[ind:]): // models indent what is inside "1." by two
			line = line[ind:]
		default:
			return i, line
		}
	}
	return len(s.in), line
}

// enter opens the containers that a line begins and returns what follows.
func (s *state) enter(line string) string {
	for {
		ind := indent(line)
		if ind > 3 {
			return line
		}
		body := line[ind:]
		if strings.HasPrefix(body, ">") {
			s.push(container{quote: true})
			line = strings.TrimPrefix(body[1:], " ")
			continue
		}
		m, ok := marker(body)
		if !ok || isRule(body) || s.para && (m.number > 1 || m.rest == "") {
			return line
		}
		if m.text == dash {
			m.text = bullets[s.lists()%len(bullets)]
		}
		s.push(container{indent: ind + m.width, marker: m.text, pad: m.cells})
		line = m.rest
	}
}

func (s *state) push(c container) {
	s.in = append(s.in[:len(s.in):len(s.in)], c)
	s.para, s.table = false, false
}

// lists counts the list items around.
func (s *state) lists() int {
	n := 0
	for _, c := range s.in {
		if !c.quote {
			n++
		}
	}
	return n
}

// leaf reads a line's content.
func (d *Doc) leaf(line string) {
	s := &d.state
	ind := indent(line)
	body := strings.TrimSpace(line)
	p := d.last()
	switch {
	case body == "":
		if len(s.in) > 0 && s.in[len(s.in)-1].marker != "" {
			d.add(Paragraph) // an item without text
			s.para = true
		}
	case s.para && isSetext(body) && !strings.Contains(p.text, "\n"): // under several lines models mean a rule
		p.Kind, p.level = Heading, 1
		if body[0] == '-' {
			p.level = 2
		}
		p.Rev = d.rev
		s.para = false
	case s.para && delimiters(body) != nil && !strings.Contains(p.text, "\n") && len(rowCells(p.text)) == len(delimiters(body)):
		p.Kind, p.align, p.rows, p.text = Table, delimiters(body), []string{p.text}, ""
		p.Rev = d.rev
		s.para, s.table = false, true
	case isRule(body):
		d.add(Rule)
	case headingLevel(body) > 0:
		n := headingLevel(body)
		h := d.add(Heading)
		h.level, h.text = n, strings.TrimSpace(trimHashes(body[n:]))
	case ind <= 3 && d.openFence(line[ind:], ind):
	case s.table && strings.Contains(body, "|"):
		d.row(body)
	case ind >= 4 && !s.para:
		d.indented(line[4:])
	case s.para:
		d.more(line)
	default:
		d.add(Paragraph).text = strings.TrimLeft(line, " ")
		s.para = true
	}
}

// add begins a part.
func (d *Doc) add(k Kind) *Part {
	s := &d.state
	d.blocks++
	p := &Part{Kind: k, Gap: len(d.parts) > 0 && (s.blank || d.spaced(k)), Block: d.blocks, Rev: d.rev}
	p.first, p.rest = s.prefix()
	d.parts = append(d.parts, p)
	s.para, s.table = false, false
	return p
}

// spaced reports whether an empty line belongs above a part also where the text has none.
func (d *Doc) spaced(k Kind) bool {
	in := d.state.in
	if len(in) > 0 && in[len(in)-1].marker != "" {
		return false // the first of its item
	}
	return k == Heading || k == Table || d.last().Kind == Heading || d.last().Kind == Table
}

// goOn begins another part of the same block.
func (d *Doc) goOn(p *Part) *Part {
	q := d.add(p.Kind)
	q.Gap, q.more, q.Block, q.info, q.align, q.first = false, true, p.Block, p.info, p.align, q.rest
	return q
}

// prefix is what stands before the lines of a part; it uses up the markers of its items.
func (s *state) prefix() (first, rest string) {
	var f, r strings.Builder
	for i, c := range s.in {
		switch {
		case c.quote:
			f.WriteString("│ ")
			r.WriteString("│ ")
			continue
		case c.marker != "":
			f.WriteString(c.marker)
			s.in = append([]container(nil), s.in...)
			s.in[i].marker = ""
		default:
			f.WriteString(strings.Repeat(" ", c.pad))
		}
		r.WriteString(strings.Repeat(" ", c.pad))
	}
	return f.String(), r.String()
}

// more appends a line to the paragraph.
func (d *Doc) more(line string) {
	p := d.last()
	if len(p.text)+len(line) > maxPart {
		q := d.goOn(p)
		q.text, d.state.para = strings.TrimLeft(line, " "), true
		return
	}
	p.text += "\n" + strings.TrimLeft(line, " ")
	p.Rev = d.rev
}

// openFence begins a code block if the line does.
func (d *Doc) openFence(body string, ind int) bool {
	n := run(body)
	if n < 3 || body[0] != '`' && body[0] != '~' {
		return false
	}
	info := strings.TrimSpace(body[n:])
	if body[0] == '`' && strings.Contains(info, "`") {
		return false
	}
	d.add(Code).info = info
	d.state.fence = fence{open: true, char: body[0], n: n, indent: ind, depth: len(d.state.in)}
	return true
}

// codeLine is a line inside a fence, or its end.
func (d *Doc) codeLine(line string) {
	f := &d.state.fence
	body := strings.TrimLeft(line, " ")
	if len(line)-len(body) <= 3 && body != "" && body[0] == f.char && run(body) >= f.n && strings.TrimSpace(body[run(body):]) == "" {
		f.open = false
		d.state.blank = false
		return
	}
	d.code(line[min(f.indent, indent(line)):])
}

// indented is a line of a code block without a fence.
func (d *Doc) indented(line string) {
	if p := d.last(); p == nil || p.Kind != Code || p.info != "" || d.state.blank {
		d.add(Code)
	}
	d.code(line)
}

func (d *Doc) code(line string) {
	p := d.last()
	if len(p.rows) >= maxCode {
		p = d.goOn(p)
	}
	p.rows = append(p.rows, line)
	p.Rev = d.rev
}

// row is a row of a table.
func (d *Doc) row(line string) {
	p := d.last()
	if len(p.rows) >= maxRows {
		p = d.goOn(p)
		d.state.table = true
	}
	p.rows = append(p.rows, line)
	p.Rev = d.rev
}
