package markdown

import (
	"strings"

	"golang.org/x/net/html"
)

// inline writes an element inside a line, unless it is empty.
func (r *rawWriter) inline(n *html.Node, name, attrs string) {
	r.flush()
	before := len(r.w.out)
	any := r.any
	r.any = false
	r.put("<" + name + attrs + ">")
	r.children(n)
	if r.any {
		r.put("</" + name + ">")
	} else {
		r.w.out = r.w.out[:before]
	}
	r.any = r.any || any
}

func (r *rawWriter) anchor(n *html.Node) {
	href, leads := lookup(n, "href")
	href = cleanRef(href)
	if !leads || isScript(href) {
		r.children(n)
		return
	}
	url := string(appendDestination(nil, r.w.base.resolve(nil, href)))
	any := r.any
	r.any = false
	r.inline(n, "a", ` href="`+escapeValue(url)+`"`)
	if !r.any {
		r.write(url)
	}
	r.any = r.any || any
}

func (r *rawWriter) image(n *html.Node) {
	src, alt := cleanRef(attr(n, "src")), visible(attr(n, "alt"))
	if s := scheme(src); src == "" || strings.EqualFold(s, "data") || strings.EqualFold(s, "javascript") {
		r.write(alt)
		return
	}
	url := string(appendDestination(nil, r.w.base.resolve(nil, src)))
	r.flush()
	r.any, r.text = true, true
	r.put(`<img src="` + escapeValue(url) + `" alt="` + escapeValue(strings.Join(strings.Fields(alt), " ")) + `">`)
}

// box writes the check box that begins a list item.
func (r *rawWriter) box(n *html.Node) {
	if !r.task {
		return
	}
	r.task = false
	attrs := ""
	if _, checked := lookup(n, "checked"); checked {
		attrs = " checked"
	}
	r.put(`<input type="checkbox"` + attrs + `>`)
	r.text = true
}

// spans returns the attributes of a cell that stay.
func (r *rawWriter) spans(n *html.Node) string {
	attrs := ""
	for _, key := range [...]string{"colspan", "rowspan"} {
		if v := attr(n, key); v != "" {
			attrs += " " + key + `="` + escapeValue(visible(v)) + `"`
		}
	}
	return attrs
}

// classAttr returns the language that a pre or code names.
func classAttr(n *html.Node) string {
	if lang := attr(n, "class"); lang != "" {
		return ` class="language-` + escapeValue(visible(lang)) + `"`
	}
	return ""
}
