// Package charset finds out the encoding of a web page and turns the page into UTF-8.
//
// The order is that of the tool's reference (Encodage): byte order mark, charset of the
// Content-Type header, meta element in the first 4 KiB, UTF-8 if all bytes are valid UTF-8, else
// windows-1252. Names and aliases are those of the Encoding Standard; a name that it doesn't know
// is passed over.
package charset

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// prescan is how many bytes are searched for a meta element.
const prescan = 4 << 10

// Names of encodings that are told apart here.
const (
	utf8Name    = "utf-8"
	utf16LE     = "utf-16le"
	utf16BE     = "utf-16be"
	windows1252 = "windows-1252"
	replacement = "replacement"
)

// Detect returns the name of the encoding of a page, in the Encoding Standard's lower-case form.
// contentType is the Content-Type header, "" when there is none.
func Detect(page []byte, contentType string) string {
	if name, _ := mark(page); name != "" {
		return name
	}
	if _, name := charset.Lookup(parameter(contentType)); name != "" {
		return name
	}
	if name := fromMeta(page); name != "" {
		return name
	}
	if utf8.Valid(page) {
		return utf8Name
	}
	return windows1252
}

// IsUTF16 reports whether the encoding of that name writes ASCII characters with NUL bytes.
func IsUTF16(name string) bool { return name == utf16LE || name == utf16BE }

// Decode returns the page in UTF-8, without its byte order mark. Bytes that the encoding doesn't
// know become U+FFFD. It fails for encodings that the standard forbids to decode.
func Decode(page []byte, name string) ([]byte, error) {
	_, n := mark(page)
	page = page[n:]
	if name == utf8Name && utf8.Valid(page) {
		return page, nil
	}
	enc, known := charset.Lookup(name)
	if known == "" || known == replacement || enc == nil {
		return nil, fmt.Errorf("the encoding %s can't be decoded", name)
	}
	if enc == encoding.Nop {
		return bytes.ToValidUTF8(page, []byte("\uFFFD")), nil
	}
	return enc.NewDecoder().Bytes(page)
}

// mark returns the encoding that a byte order mark names, and the length of the mark.
func mark(page []byte) (name string, n int) {
	switch {
	case bytes.HasPrefix(page, []byte("\xef\xbb\xbf")):
		return utf8Name, 3
	case bytes.HasPrefix(page, []byte("\xff\xfe")):
		return utf16LE, 2
	case bytes.HasPrefix(page, []byte("\xfe\xff")):
		return utf16BE, 2
	}
	return "", 0
}

// parameter returns the charset parameter of a Content-Type. Headers are often not as RFC 9110 wants
// them, so this reads what mime.ParseMediaType refuses as well.
func parameter(contentType string) string {
	_, params, _ := strings.Cut(contentType, ";")
	for params != "" {
		var p string
		p, params, _ = strings.Cut(params, ";")
		key, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(key), "charset") {
			return strings.Trim(value, " \t\"'")
		}
	}
	return ""
}

// fromMeta returns what the first meta element that names a charset says, "" when it names none
// that is known. Only elements wholly inside the first 4 KiB count; a meta in a comment or script is
// none.
func fromMeta(page []byte) string {
	z := html.NewTokenizer(bytes.NewReader(page[:min(len(page), prescan)]))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if !more || atom.Lookup(name) != atom.Meta {
				continue
			}
			if label := metaLabel(z); label != "" {
				return fromLabel(label)
			}
		}
	}
}

// metaLabel returns the charset that a meta element names, "" when it names none.
func metaLabel(z *html.Tokenizer) string {
	var own, content string
	declares := false
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "charset":
			own = strings.TrimSpace(string(value))
		case "content":
			content = string(value)
		case "http-equiv":
			declares = strings.EqualFold(string(value), "content-type")
		}
	}
	if own == "" && declares {
		return contentLabel(content)
	}
	return own
}

// contentLabel reads "text/html; charset=x" as the HTML standard does (algorithm for extracting a
// character encoding from a meta element).
func contentLabel(content string) string {
	const blanks = " \t\n\f\r"
	for lower := strings.ToLower(content); ; {
		i := strings.Index(lower, "charset")
		if i < 0 {
			return ""
		}
		lower = strings.TrimLeft(lower[i+len("charset"):], blanks)
		value, found := strings.CutPrefix(lower, "=")
		if !found {
			continue
		}
		value = strings.TrimLeft(value, blanks)
		if value == "" {
			return ""
		}
		if q := value[0]; q == '"' || q == '\'' {
			value, _, found = strings.Cut(value[1:], string(q))
			if !found {
				return ""
			}
			return value
		}
		if i := strings.IndexAny(value, blanks+";"); i >= 0 {
			value = value[:i]
		}
		return value
	}
}

// fromLabel looks up a label of a meta element, where utf-16 stands for UTF-8: a page in which the
// element can be read isn't UTF-16 (HTML standard, prescan).
func fromLabel(label string) string {
	_, name := charset.Lookup(label)
	if IsUTF16(name) {
		return utf8Name
	}
	return name
}
