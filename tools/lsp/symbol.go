package lsp

import (
	"slices"
	"strings"
	"unicode"
)

// identifiers returns the identifiers of what a model wrote as a symbol, in order, each cleaned.
// The words that begin a declaration ("func Greet") are no symbols, unless nothing else is there.
func identifiers(s string) []string {
	var list []string
	for _, word := range strings.Fields(withoutReceiver(s)) {
		if name := clean(word); name != "" {
			list = append(list, name)
		}
	}
	for len(list) > 1 && slices.Contains(declarators(), list[0]) {
		list = list[1:]
	}
	return list
}

func declarators() []string {
	return []string{"func", "function", "def", "fn", "class", "struct", "type", "interface", "enum", "trait", "impl",
		"var", "let", "const", "export", "async", "static", "public", "private"}
}

// withoutReceiver takes the receiver out of the head of a Go method: "func (p *Person) Greet()".
func withoutReceiver(s string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(s), "func ")
	if !ok || !strings.HasPrefix(strings.TrimSpace(rest), "(") {
		return s
	}
	_, after, ok := strings.Cut(rest, ")")
	if !ok {
		return s
	}
	return after
}

// clean cuts quotes and stray punctuation off a word and takes the last part of a qualified name:
// "Greet', " and "person.Greet" are Greet, as "(*Person).Greet(name)", "Vec<T>" and "std::swap".
// What is left without an identifier is "".
func clean(word string) string {
	word = strings.TrimFunc(strings.ReplaceAll(word, "${", "$"), func(r rune) bool { return !inName(r) && r != '$' })
	if i := strings.IndexFunc(word, endsName); i > 0 {
		word = word[:i]
	}
	parts := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(`.:>#/\!?()`, r) })
	name := ""
	for _, part := range parts {
		part = strings.Trim(part, "-")
		if beginsName(part) {
			name = part
		}
	}
	return name
}

// endsName reports whether the rest of a word behind r is no part of a name: arguments, an index,
// an operator. Separators of qualified names, and the dash of shell functions, aren't among them.
func endsName(r rune) bool {
	return !inName(r) && !strings.ContainsRune(`$-.:>#/\!?)`, r)
}

func inName(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

func beginsName(s string) bool {
	for _, r := range s {
		return r == '_' || r == '$' || unicode.IsLetter(r)
	}
	return false
}

// variants are the ways in which a name may stand in a file: some languages write variables with a
// dollar sign where they are used, and without where they are set.
func variants(name string) []string {
	if bare := strings.TrimLeft(name, "$"); bare != name && bare != "" {
		return []string{name, bare}
	}
	return []string{name}
}
