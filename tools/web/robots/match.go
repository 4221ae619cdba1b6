package robots

import "strings"

// match reports whether a normalized pattern matches a normalized path from its start. "*" stands
// for any octets, a "$" at the end for the end of the path. Taking the first place where each piece
// fits is enough, so no pattern takes more than one walk over the path.
func match(pattern, path string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	piece, rest, more := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, piece) {
		return false
	}
	path = path[len(piece):]
	for more {
		piece, rest, more = strings.Cut(rest, "*")
		if !more && anchored {
			return strings.HasSuffix(path, piece)
		}
		i := strings.Index(path, piece)
		if i < 0 {
			return false
		}
		path = path[i+len(piece):]
	}
	return !anchored || path == ""
}

// normalizePattern brings a rule into the form in which octets compare (RFC 9309 2.2.2): escapes of
// unreserved characters are decoded, all that may not stand in a URL is escaped. A "*" and a "$" at
// the end keep their meaning; a "$" elsewhere is a dollar.
func normalizePattern(s string) string {
	s, anchored := strings.CutSuffix(s, "$")
	var b strings.Builder
	for i, piece := range strings.Split(s, "*") {
		if i > 0 {
			b.WriteByte('*')
		}
		normalize(&b, piece)
	}
	if anchored {
		b.WriteByte('$')
	}
	return b.String()
}

// normalizePath does the same for the path and query of a URL, where "*" and "$" are characters.
func normalizePath(s string) string {
	var b strings.Builder
	normalize(&b, s)
	return b.String()
}

func normalize(b *strings.Builder, s string) {
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			c = unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
			if unreserved(c) {
				b.WriteByte(c)
			} else {
				escape(b, c)
			}
			continue
		}
		if unreserved(c) || strings.IndexByte("%:/?#[]@!&'()+,;=", c) >= 0 {
			b.WriteByte(c)
		} else {
			escape(b, c)
		}
	}
}

func escape(b *strings.Builder, c byte) {
	const hex = "0123456789ABCDEF"
	b.WriteByte('%')
	b.WriteByte(hex[c>>4])
	b.WriteByte(hex[c&15])
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}
