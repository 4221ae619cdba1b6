// Package bench measures the conversion of pages beside html-to-markdown, on the same pages in the
// same run. It is a module of its own, so that mm's go.mod doesn't name the other one:
//
//	cd tools/web/bench && go test -bench . -benchmem
//
// The pages are those of corpus/pages, which others wrote: in $MM_SHARED, or in a folder shared/
// beside the repository.
package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"github.com/mini-me/mm/tools/web/charset"
	"github.com/mini-me/mm/tools/web/markdown"
)

const baseURL = "https://site.example/page.html"

// read returns the pages in UTF-8, and how many bytes they have.
func read(b *testing.B) (pages [][]byte, size int64) {
	b.Helper()
	dir := os.Getenv("MM_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	names, _ := filepath.Glob(filepath.Join(dir, "corpus", "pages", "*.html"))
	if len(names) == 0 {
		b.Skip("the pages of corpus/pages aren't here: set MM_SHARED to the folder that has corpus/pages")
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		text, err := charset.Decode(body, charset.Detect(body, "text/html"))
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, text)
		size += int64(len(text))
	}
	return pages, size
}

func run(b *testing.B, convert func(page []byte) error) {
	pages, size := read(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pages {
			if err := convert(p); err != nil {
				b.Fatal(err)
			}
		}
	}
	mib := float64(size) / (1 << 20)
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N)/mib, "ms/MiB")
}

// BenchmarkMM is this repository's conversion, cleaning included.
func BenchmarkMM(b *testing.B) {
	run(b, func(page []byte) error {
		_, err := markdown.Convert(bytes.NewReader(page), markdown.Options{BaseURL: baseURL})
		return err
	})
}

// BenchmarkHTMLToMarkdown is html-to-markdown with the plugins that do the same: CommonMark and
// tables.
func BenchmarkHTMLToMarkdown(b *testing.B) {
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	run(b, func(page []byte) error {
		_, err := c.ConvertReader(bytes.NewReader(page), converter.WithDomain(baseURL))
		return err
	})
}

// BenchmarkParse is the parser alone, which both use.
func BenchmarkParse(b *testing.B) {
	run(b, func(page []byte) error {
		_, err := html.Parse(bytes.NewReader(page))
		return err
	})
}
