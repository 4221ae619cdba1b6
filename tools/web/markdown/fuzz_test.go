package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzConvert: any page gives valid UTF-8 without characters that can't be seen, ended by one line
// end, of a size in proportion to the page.
func FuzzConvert(f *testing.F) {
	for _, page := range tricky {
		f.Add(page, uint8(0))
	}
	for _, h := range hostile {
		f.Add(h.page(400), uint8(7))
	}
	f.Add("<table><tr><td rowspan=2 colspan=3>a<td><table><tr><td>b</table><tr><td>c</table><ul><li><input type=checkbox><b>x<p>y</b>z", uint8(5))
	f.Add("<p><b>a:</b>b <i>c<b>d</i>e</b>\\<br>1.<br>#\u202ex<svg><p>y<math><mi>z", uint8(2))
	f.Fuzz(func(t *testing.T, page string, options uint8) {
		o := Options{Strikethrough: options&1 > 0, TaskList: options&2 > 0, BaseURL: "http://x/"}
		if options&4 > 0 {
			o.Tables = Flatten
		}
		md, err := Convert(strings.NewReader(page), o)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(md) {
			t.Error("not UTF-8")
		}
		if strings.ContainsFunc(md, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f && !isJoiner(r) ||
				r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
		}) {
			t.Errorf("%q has characters that can't be seen", md)
		}
		if md != "" && (!strings.HasSuffix(md, "\n") || strings.HasSuffix(md, "\n\n")) {
			t.Errorf("%q isn't ended by one line end", md)
		}
		if len(md) > 100*len(page)+1<<20 {
			t.Errorf("%d bytes became %d", len(page), len(md))
		}
	})
}
