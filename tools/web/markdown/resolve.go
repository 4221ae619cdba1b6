package markdown

import "strings"

// base is the absolute URL that relative ones start from, in the pieces they need. The zero value
// leaves them as they are.
type base struct {
	scheme string // "https"
	root   string // "https://example.com"
	dir    string // path up to and with its last slash
	page   string // the URL without its query
	whole  string
}

// cleanRef returns a URL of an attribute as a browser reads it: blanks around it and line ends and
// tabs in it don't count, what can't be seen neither.
func cleanRef(ref string) string {
	ref = strings.Trim(visible(ref), " \t\n\f\r")
	if strings.ContainsAny(ref, "\t\n\r") {
		ref = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(ref)
	}
	return ref
}

// scheme returns the scheme of a URL, "" when it is relative.
func scheme(ref string) string {
	for i := 0; i < len(ref); i++ {
		c := ref[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return ref[:i]
		default:
			return ""
		}
	}
	return ""
}

// isScript reports whether a link runs a script instead of leading anywhere.
func isScript(ref string) bool { return strings.EqualFold(scheme(ref), "javascript") }

// resolve appends the absolute form of a cleaned URL (RFC 3986 5.2), not yet escaped for its place.
func (b *base) resolve(out []byte, ref string) []byte {
	switch s := scheme(ref); {
	case b.root == "":
		return append(out, ref...)
	case s != "":
		return append(out, ref...)
	case ref == "":
		return append(out, b.whole...)
	case strings.HasPrefix(ref, "//"):
		out = append(out, b.scheme...)
		out = append(out, ':')
		return append(out, ref...)
	case ref[0] == '#':
		out = append(out, b.whole...)
		return append(out, ref...)
	case ref[0] == '?':
		out = append(out, b.page...)
		return append(out, ref...)
	}
	out = append(out, b.root...)
	start := len(out)
	path, tail := ref, ""
	if i := strings.IndexAny(ref, "?#"); i >= 0 {
		path, tail = ref[:i], ref[i:]
	}
	if path[0] != '/' {
		dir := b.dir
		if dir == "" {
			dir = "/"
		}
		out = append(out, dir...)
	}
	out = append(out, path...)
	if strings.Contains(path, "..") || strings.HasPrefix(path, "./") || strings.Contains(path, "/.") || strings.Contains(b.dir, "/.") {
		out = out[:start+withoutDots(out[start:])]
	}
	return append(out, tail...)
}

// withoutDots takes "." and ".." out of an absolute path (RFC 3986 5.2.4), in place, and returns its
// new length.
func withoutDots(path []byte) int {
	n := 0
	for i := 0; i < len(path); {
		end := i + 1
		for end < len(path) && path[end] != '/' {
			end++
		}
		seg := path[i:end] // "/name"
		last := end == len(path)
		switch string(seg[1:]) {
		case ".":
			if last {
				n += copy(path[n:], "/")
			}
		case "..":
			for n > 0 {
				n--
				if path[n] == '/' {
					break
				}
			}
			if last {
				n += copy(path[n:], "/")
			}
		default:
			n += copy(path[n:], seg)
		}
		i = end
	}
	return n
}

// appendDestination appends a URL as the destination of a Markdown link. Blanks, brackets and the
// like are escaped as in URLs, so that no destination ends early; other characters stay readable.
func appendDestination(out []byte, url []byte) []byte {
	parens := balanced(url)
	for i, c := range url {
		switch {
		case c <= ' ', c == 0x7f, c == '<', c == '>', c == '\\', c == '`', c == '|', c == '"',
			!parens && (c == '(' || c == ')'),
			c == 0xc2 && i+1 < len(url) && url[i+1] == 0xa0, // no-break space
			c == 0xa0 && i > 0 && url[i-1] == 0xc2:
			out = appendPercent(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

func appendPercent(out []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(out, '%', hex[c>>4], hex[c&15])
}

// balanced reports whether the parentheses of a URL pair up, and not deeper than readers of Markdown
// go.
func balanced(url []byte) bool {
	open := 0
	for _, c := range url {
		switch c {
		case '(':
			if open++; open > 3 {
				return false
			}
		case ')':
			if open--; open < 0 {
				return false
			}
		}
	}
	return open == 0
}
