package markdown

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Marks that the sieve leaves on elements, as attributes.
const (
	markHidden = "hidden" // removed, whatever it holds
	markAd     = "ad"     // removed unless it is or holds main, article or h1
)

// attrs is what counts of a tag's attributes (tools.fr.md, Attributs and Retiré).
type attrs struct {
	hidden, ad bool
	kept       []keptAttr
}

// keptAttr is an attribute that the parser is to see, with its value as it stands in the page.
type keptAttr struct {
	key string
	val []byte
}

// read takes the attributes of a tag. Of several with one name the first counts.
func (a *attrs) read(tag atom.Atom, list []attribute) {
	a.clear()
	box := false
	seen := hiding{}
	for _, attr := range list {
		name := keeps(tag, attr.key)
		if name == "" {
			seen.read(a, tag, attr)
			continue
		}
		if name == "type" && !a.has(name) {
			box = keyIs(bytes.TrimSpace(decoded(attr.val)), "checkbox")
		}
		a.keep(name, attr.val)
	}
	if tag == atom.Html || tag == atom.Body {
		a.hidden, a.ad = false, false
	}
	if tag == atom.Input && !box {
		a.hidden = true
	}
}

func (a *attrs) clear() { a.hidden, a.ad, a.kept = false, false, a.kept[:0] }

func (a *attrs) has(key string) bool {
	for _, k := range a.kept {
		if k.key == key {
			return true
		}
	}
	return false
}

func (a *attrs) keep(key string, val []byte) {
	if !a.has(key) {
		a.kept = append(a.kept, keptAttr{key, val})
	}
}

// hiding notes which of the attributes that can hide an element were there already.
type hiding struct{ class, id, style, aria, role bool }

// read judges an attribute that every element can have.
func (h *hiding) read(a *attrs, tag atom.Atom, attr attribute) {
	key, val := attr.key, attr.val
	first := func(seen *bool) bool {
		was := *seen
		*seen = true
		return !was
	}
	switch {
	case keyIs(key, "class"):
		if !first(&h.class) {
			return
		}
		val = decoded(val)
		a.ad = a.ad || isAd(val)
		if tag == atom.Pre || tag == atom.Code {
			if lang := language(val); lang != nil {
				a.keep("class", lang)
			}
		}
	case keyIs(key, "id"):
		a.ad = first(&h.id) && isAd(decoded(val)) || a.ad
	case keyIs(key, "hidden"):
		a.hidden = true
	case keyIs(key, "style"):
		a.hidden = first(&h.style) && hidesStyle(decoded(val)) || a.hidden
	case keyIs(key, "aria-hidden"):
		a.hidden = first(&h.aria) && keyIs(bytes.TrimSpace(decoded(val)), "true") || a.hidden
	case keyIs(key, "role"):
		a.hidden = first(&h.role) && hidesRole(decoded(val)) || a.hidden
	}
}

// keeps returns the name of an attribute that stays on the element, "" when it doesn't.
func keeps(tag atom.Atom, key []byte) string {
	var names [2]string
	switch tag {
	case atom.A:
		names[0] = "href"
	case atom.Img, atom.Image:
		names = [...]string{"src", "alt"}
	case atom.Td, atom.Th:
		names = [...]string{"colspan", "rowspan"}
	case atom.Ol:
		names[0] = "start"
	case atom.Input:
		names = [...]string{"type", "checked"}
	}
	for _, name := range names {
		if name != "" && keyIs(key, name) {
			return name
		}
	}
	return ""
}

// append writes the attributes as the parser and the walk over the tree read them.
func (a *attrs) append(out []byte) []byte {
	switch {
	case a.hidden:
		return append(out, " "+markHidden...) // nothing else counts then
	case a.ad:
		out = append(out, " "+markAd...)
	}
	for _, k := range a.kept {
		out = append(out, ' ')
		out = append(out, k.key...)
		quote := byte('"')
		if bytes.IndexByte(k.val, '"') >= 0 {
			quote = '\''
		}
		out = append(out, '=', quote)
		for _, c := range k.val { // an unquoted value may have both quotes in it
			if c == quote {
				out = append(out, "&#39;"...)
			} else {
				out = append(out, c)
			}
		}
		out = append(out, quote)
	}
	return out
}

// decoded returns a value with its references resolved.
func decoded(val []byte) []byte {
	if bytes.IndexByte(val, '&') < 0 {
		return val
	}
	return []byte(html.UnescapeString(string(val)))
}

// keyIs reports whether a name is the one given in lower case, without regard to ASCII case.
func keyIs(key []byte, name string) bool {
	if len(key) != len(name) {
		return false
	}
	for i, c := range key {
		if lower(c) != name[i] {
			return false
		}
	}
	return true
}
