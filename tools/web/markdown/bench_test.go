package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkConvert shows that twice the page takes twice the time: MB/s stay about the same for 1, 2
// and 4 MiB of an ordinary page and of pages nested without end.
func BenchmarkConvert(b *testing.B) {
	article := `<div class="row"><h2>Title &amp; <a href="/x?a=1">link</a></h2><p>Some <b>bold</b>, <i>it</i>alic and <code>code</code> text, long enough ` +
		`to be a line of an ordinary page, with a <a href="../y" class="z">relative link</a>.</p><ul><li>one<li>two<ul><li>three</ul></ul>` +
		`<pre><code class="language-go">func main() {}</code></pre><table><tr><th>A<th>B<tr><td>1<td>2</table><script>var x = "<p>";</script></div>`
	for _, c := range []struct {
		name string
		page func(size int) string
	}{
		{"article", func(n int) string { return strings.Repeat(article, n/len(article)) }},
		{"nested-div", func(n int) string { return strings.Repeat("<div>", n/5) + "text" }},
		{"open-b", func(n int) string { return strings.Repeat("<b>x", n/4) }},
		{"open-b-p", func(n int) string { return strings.Repeat("<b><p>x", n/7) }},
		{"text", func(n int) string { return strings.Repeat("word ", n/5) }},
	} {
		for _, mib := range []int{1, 2, 4} {
			page := []byte(c.page(mib << 20))
			b.Run(fmt.Sprintf("%s/%dMiB", c.name, mib), func(b *testing.B) {
				b.SetBytes(int64(len(page)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Convert(bytes.NewReader(page), Options{BaseURL: "https://x.example/a/b"}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	for range 1 {
		_, texts := readPages(b)
		size := 0
		for _, text := range texts {
			size += len(text)
		}
		b.Run("pages", func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, text := range texts {
					if _, err := Convert(bytes.NewReader(text), Options{BaseURL: "https://x.example/a/b"}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
