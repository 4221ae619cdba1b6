package markdown

import (
	"bytes"
	"unicode/utf8"
)

// language returns the word of a class that names a language (language-go, lang-go).
func language(class []byte) []byte {
	for word := range bytes.FieldsSeq(class) {
		name, ok := bytes.CutPrefix(word, []byte("language-"))
		if !ok {
			name, ok = bytes.CutPrefix(word, []byte("lang-"))
		}
		if ok && len(name) > 0 && len(name) <= 40 && !bytes.ContainsAny(name, "`~\\&<>\"'") && utf8.Valid(name) {
			return name
		}
	}
	return nil
}

// hidesRole reports whether an ARIA role names a part of the page that isn't its text. Of several
// roles the first counts.
func hidesRole(val []byte) bool {
	for role := range bytes.FieldsSeq(val) {
		switch string(bytes.ToLower(role)) {
		case "navigation", "banner", "complementary", "search", "contentinfo", "dialog":
			return true
		}
		return false
	}
	return false
}

// hidesStyle reports whether inline CSS hides the element (supplement 15). The last declaration
// wins, unless one before was important.
func hidesStyle(val []byte) bool {
	if bytes.IndexByte(val, ':') < 0 {
		return false
	}
	var display, visibility declared
	for decl := range bytes.SplitSeq(withoutComments(val), []byte(";")) {
		key, v, _ := bytes.Cut(decl, []byte(":"))
		key = bytes.TrimSpace(key)
		switch {
		case keyIs(key, "display"):
			display.set(v, "none")
		case keyIs(key, "visibility"):
			visibility.set(v, "hidden")
		}
	}
	return display.hides || visibility.hides
}

// declared is a CSS property as far as it has been read.
type declared struct{ hides, important bool }

func (d *declared) set(val []byte, hiding string) {
	val, mark, _ := bytes.Cut(val, []byte("!"))
	important := keyIs(bytes.TrimSpace(mark), "important")
	if d.important && !important {
		return
	}
	d.hides = keyIs(bytes.TrimSpace(val), hiding)
	d.important = important
}

// withoutComments takes CSS comments out.
func withoutComments(css []byte) []byte {
	if !bytes.Contains(css, []byte("/*")) {
		return css
	}
	var out []byte
	for {
		before, rest, found := bytes.Cut(css, []byte("/*"))
		out = append(out, before...)
		if !found {
			return out
		}
		_, css, found = bytes.Cut(rest, []byte("*/"))
		if !found {
			return out
		}
	}
}
