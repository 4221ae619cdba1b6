package cells

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestCluster(t *testing.T) {
	for _, c := range []struct {
		in, cluster  string
		wc, grapheme int
	}{
		{"ab", "a", 1, 1},
		{"e\u0301x", "e\u0301", 1, 1},
		{"日本", "日", 2, 2},
		{"👩‍💻!", "👩‍💻", 4, 2}, // terminals without mode 2027 take four cells
		{"\u0301", "\u0301", 0, 0},
	} {
		for m, want := range map[Measure]int{ansi.WcWidth: c.wc, ansi.GraphemeWidth: c.grapheme} {
			if got, n := Cluster(c.in, m); got != c.cluster || n != want {
				t.Errorf("%q: %q of %d cells, want %q of %d", c.in, got, n, c.cluster, want)
			}
		}
	}
}

func TestCutAndPad(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"hello", 5, "hello"}, {"hello", 4, "hel…"}, {"hello", 1, "…"}, {"hello", 0, ""},
		{"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"é́", 1, "é́"}, {"", 0, ""},
	} {
		if got := Cut(c.in, c.width, ansi.WcWidth); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.in, c.width, got, c.want)
		}
	}
	if got := Pad("日", 4, ansi.WcWidth); got != "日  " {
		t.Errorf("%q", got)
	}
}

func TestBreak(t *testing.T) {
	for _, c := range []struct {
		in    string
		words bool
		want  string
	}{
		{"", true, ""}, {"one two three", true, "one two|three"}, {"one two three", false, "one two |three"},
		{"12345678 9", true, "12345678|9"}, {"1234567890", true, "12345678|90"}, {"日本語日本語", true, "日本語日|本語"},
		{"a\tb", true, "a    b"}, {"12345678", true, "12345678"}, {"ends here ", true, "ends|here "},
	} {
		if got := strings.Join(Break(c.in, 8, ansi.WcWidth, c.words), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
