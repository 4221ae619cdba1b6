package markdown

import "bytes"

// declaration reads what begins with "<!".
func (l *lexer) declaration() token {
	i := l.pos + 2
	rest := l.page[i:]
	switch {
	case len(rest) < 2:
		return l.take(commentToken, len(l.page))
	case bytes.HasPrefix(rest, []byte("--")):
		return l.take(commentToken, l.commentEnd(i+2))
	case len(rest) >= 7 && bytes.EqualFold(rest[:7], []byte("doctype")):
		end := l.skipBlanks(i + 7)
		if end < len(l.page) {
			end = l.after('>', end)
		}
		return l.take(doctypeToken, end)
	case l.cdata && bytes.HasPrefix(rest, []byte("[CDATA[")):
		if n := bytes.Index(rest[7:], []byte("]]>")); n >= 0 {
			return l.take(textToken, i+7+n+3)
		}
		return l.take(textToken, len(l.page))
	}
	return l.take(commentToken, l.after('>', i))
}

// commentEnd returns the place behind a comment whose text begins at i.
func (l *lexer) commentEnd(i int) int {
	p := l.page
	dashes, beginning := 0, true
	for ; i < len(p); i++ {
		switch p[i] {
		case '-':
			dashes++
			continue
		case '>':
			if dashes >= 2 || beginning {
				return i + 1
			}
		case '!':
			if dashes < 2 {
				break
			}
			i++
			switch {
			case i == len(p):
				return i
			case p[i] == '>':
				return i + 1
			case p[i] == '-':
				dashes, beginning = 1, false
				continue
			}
		}
		dashes, beginning = 0, false
		if n := bytes.IndexByte(p[i+1:], '-'); n > 0 {
			i += n // up to before the next dash: nothing else can end it
		} else if n < 0 {
			return len(p)
		}
	}
	return len(p)
}

// rawEnd returns where the text of an element that holds no HTML ends: at its end tag.
func (l *lexer) rawEnd() int {
	switch l.rawTag {
	case "plaintext":
		return len(l.page)
	case "script":
		return l.scriptEnd()
	}
	for i := l.pos; ; i++ {
		n := bytes.IndexByte(l.page[i:], '<')
		if n < 0 {
			return len(l.page)
		}
		i += n
		if l.isRawEnd(i) {
			return i
		}
	}
}

// isRawEnd reports whether the end tag of the raw element stands at i.
func (l *lexer) isRawEnd(i int) bool {
	p, n := l.page[i:], len(l.rawTag)
	if len(p) < n+3 || p[1] != '/' {
		return false
	}
	for k := range n {
		if c := l.rawTag[k]; p[2+k] != c && p[2+k] != c-('a'-'A') {
			return false
		}
	}
	c := p[2+n]
	return isBlank(c) || c == '/' || c == '>'
}

// scriptEnd returns where a script ends. In a script that looks like a comment, "<!--", a script
// inside of it must end first (HTML5, script data escaped states).
func (l *lexer) scriptEnd() int {
	p := l.page
	escaped, inner := false, false
	dashes := 0
	for i := l.pos; i < len(p); {
		if !escaped {
			n := bytes.IndexByte(p[i:], '<')
			if n < 0 {
				return len(p)
			}
			i += n
			switch {
			case l.isRawEnd(i):
				return i
			case bytes.HasPrefix(p[i:], []byte("<!--")):
				escaped, inner, dashes = true, false, 2
				i += 4
			default:
				i++
			}
			continue
		}
		switch c := p[i]; {
		case c == '-':
			dashes++
			i++
			continue
		case c == '>' && dashes >= 2:
			escaped = false
		case c == '<' && inner:
			if l.isRawEnd(i) {
				inner = false
				i += len("</script>") - 1
			}
		case c == '<':
			if l.isRawEnd(i) {
				return i
			}
			var leave bool
			inner, leave, i = l.innerScript(i)
			escaped = !leave
			dashes = 0
			continue
		}
		dashes = 0
		i++
	}
	return len(p)
}

// innerScript reads what follows a "<" in a script that looks like a comment: whether a script
// begins in it, whether the comment is left, and where to go on.
func (l *lexer) innerScript(i int) (inner, leave bool, next int) {
	p := l.page[i+1:]
	switch {
	case len(p) == 0:
		return false, false, i + 1
	case p[0] == '/':
		return false, false, l.afterEndTagStart(i)
	case !isLetter(p[0]):
		return false, true, i + 1
	}
	const name = "script"
	n := 0
	for n < len(name) && n < len(p) && lower(p[n]) == name[n] {
		n++
	}
	if n == len(name) && n < len(p) && (isBlank(p[n]) || p[n] == '/' || p[n] == '>') {
		return true, false, i + 1 + n + 1
	}
	return false, false, i + 1 + n
}

// afterEndTagStart returns where to go on behind "</" that is no end tag of a script.
func (l *lexer) afterEndTagStart(i int) int {
	const name = "script"
	p := l.page[i+2:]
	n := 0
	for n < len(name) && n < len(p) && lower(p[n]) == name[n] {
		n++
	}
	return i + 2 + n
}
