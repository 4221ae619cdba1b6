package markdown

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// sameTokens fails the test when the lexer and the parser's tokenizer cut a page differently.
func sameTokens(t *testing.T, page string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(page))
	l := lexer{page: []byte(page)}
	kinds := map[html.TokenType]token{html.ErrorToken: endOfPage, html.TextToken: textToken, html.StartTagToken: startToken,
		html.SelfClosingTagToken: selfClosingToken, html.EndTagToken: endToken, html.CommentToken: commentToken, html.DoctypeToken: doctypeToken}
	for steps := 0; ; steps++ {
		if steps > len(page)+1 {
			t.Fatalf("%q: no end", page)
		}
		want := kinds[z.Next()]
		raw := string(z.Raw())
		at := l.pos
		got := l.next()
		if got != want && !(isStart(got) && isStart(want) && sameNameTwice(l.attrs)) {
			t.Fatalf("%q: at %d token %d %q, want %d %q", page, at, got, l.raw, want, raw)
		}
		if want == endOfPage {
			return
		}
		if string(l.raw) != raw {
			t.Fatalf("%q: at %d %q, want %q", page, at, l.raw, raw)
		}
		if isStart(want) || want == endToken {
			sameTag(t, page, z, &l, want)
		}
	}
}

func isStart(t token) bool { return t == startToken || t == selfClosingToken }

// sameNameTwice reports whether an attribute stands there twice: the tokenizer then looks for "/>"
// behind the one it keeps.
func sameNameTwice(attrs []attribute) bool {
	seen := map[string]bool{}
	for _, a := range attrs {
		key := strings.ToLower(string(a.key))
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

func sameTag(t *testing.T, page string, z *html.Tokenizer, l *lexer, kind token) {
	t.Helper()
	tok := z.Token()
	if want := strings.ReplaceAll(string(l.name), "\x00", "\uFFFD"); tok.Data != want {
		t.Fatalf("%q: tag %q, want %q", page, l.name, tok.Data)
	}
	if kind == endToken || sameNameTwice(l.attrs) {
		return
	}
	if len(tok.Attr) != len(l.attrs) {
		t.Fatalf("%q: %d attributes, want %d: %q", page, len(l.attrs), len(tok.Attr), tok)
	}
	for i, want := range tok.Attr {
		got := l.attrs[i]
		if strings.ContainsAny(want.Key+want.Val+string(got.val), "&\uFFFD\r\n\x00") {
			continue
		}
		if string(appendLower(nil, got.key)) != want.Key || string(got.val) != want.Val {
			t.Fatalf("%q: attribute %q=%q, want %q=%q", page, got.key, got.val, want.Key, want.Val)
		}
	}
}

func appendLower(out, s []byte) []byte {
	for _, c := range s {
		out = append(out, lower(c))
	}
	return out
}

// tricky are pages on which lexers disagree.
var tricky = []string{
	"", "<", "a<", "</", "<!", "<!-", "<!x", "<?", "<a", "<a>", "</a", "</>", "</ a>", "</a/b>", "< a>", "<1>", "a<b>c</b>d",
	"<a b>", "<a b=>", "<a =b>", "<a =>", "<a / b=c>", "<a b = 'c>d' e=\"f\"g=h/i/>", "<a/>", "<a b/>", "<a b=/>", "<a b='/'/>", "<a b='", "<a b=''>",
	"<!---->", "<!-->", "<!--->", "<!-- -- > --!> -->", "<!--a--!-b-->", "<!--a", "<!--a-", "<!--a--", "<!--a--!", "<!doctype html>x", "<!DOCTYPE", "<!doctyp>x",
	"<![CDATA[a]]>b", "<script>a<b></script>c", "<script><!--</script>-->x", "<script><!--<script></script>--></script>x",
	"<script><!--<script/a</script>b</script>c", "<SCRIPT></sCRIPT >x", "<script><!-- <x </script>y", "<script><!-- <!-- - -- > --> </script>y", "<script><!--<",
	"<script><!--</scr<script></script>", "<script><!-- < </script>", "<title>a</titl></title>b", "<title></title", "<textarea><b></textarea>x", "<plaintext></plaintext>x", "<xmp/>a</xmp>b",
	"<style>", "<style></style>", "<style><</style>", "<noscript><p></noscript>x", "<iframe/>a</iframe>b",
}

func TestLexer(t *testing.T) {
	for _, page := range tricky {
		sameTokens(t, page)
	}
	_, texts := readPages(t)
	for _, text := range texts {
		sameTokens(t, string(text))
	}
}

// FuzzLexer holds the lexer to the parser's tokenizer.
func FuzzLexer(f *testing.F) {
	for _, page := range tricky {
		f.Add(page)
	}
	f.Fuzz(sameTokens)
}
