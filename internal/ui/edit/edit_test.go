package edit

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// keys carries out commands and returns the text with | where the cursor is.
func keys(b *Buffer, list string) string {
	for _, k := range strings.Fields(list) {
		switch k {
		case "left":
			b.Left()
		case "right":
			b.Right()
		case "up":
			b.Up()
		case "down":
			b.Down()
		case "home":
			b.Home()
		case "end":
			b.End()
		case "top":
			b.Top()
		case "bottom":
			b.Bottom()
		case "wl":
			b.WordLeft()
		case "wr":
			b.WordRight()
		case "bs":
			b.Backspace()
		case "del":
			b.Delete()
		case "dw":
			b.DeleteWord()
		case "kill":
			b.KillLine()
		case "killback":
			b.KillBefore()
		case "yank":
			b.Yank()
		default:
			b.Insert(strings.NewReplacer("~", " ", "\\n", "\n").Replace(k))
		}
	}
	return state(b)
}

func state(b *Buffer) string {
	b.ensure()
	var s strings.Builder
	for i, l := range b.lines {
		if i > 0 {
			s.WriteString("\n")
		}
		if i == b.row {
			s.WriteString(l.text[:b.col] + "|" + l.text[b.col:])
		} else {
			s.WriteString(l.text)
		}
	}
	return s.String()
}

func TestKeys(t *testing.T) {
	for _, c := range []struct{ start, keys, want string }{
		{"", "a b c", "abc|"},
		{"ab", "left X", "aX|b"},
		{"ab\ncd", "home bs", "ab|cd"},
		{"ab\ncd", "top end del", "ab|cd"},
		{"", "bs del left right dw kill killback yank", "|"},
		{"one two", "dw", "one |"},
		{"one two", "dw dw yank", "one |"},
		{"one two", "wl wl wr", "one| two"},
		{"one\ntwo", "top kill yank", "one|\ntwo"},
		{"one\ntwo", "top end kill", "one|two"},
		{"one\ntwo", "home left killback", "|\ntwo"},
		{"a", "x\\ny\\nz", "ax\ny\nz|"},
		{"ab", "left x\\ny", "ax\ny|b"},
		{"é👩‍💻x", "left bs", "é|x"},
		{"e\u0301x", "left left", "|e\u0301x"},
		{"日本", "bs", "日|"},
		{"long line here\nx\nlong", "up up", "long| line here\nx\nlong"}, // the column is kept
		{"abcdefghij", "up", "abcdefghij|"},
		{"a\r\nb\rc", "", "a\nb\nc|"},
	} {
		b := New(c.start)
		b.Layout(20, ansi.WcWidth)
		if got := keys(b, c.keys); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.start, c.keys, got, c.want)
		}
	}
}

func TestRows(t *testing.T) {
	b := New("one two three four\n日本語\n\tx")
	b.Layout(10, ansi.WcWidth)
	rows, x, y := b.Rows(10)
	want := "one two|three four||日本語|    x"
	if got := strings.Join(rows, "|"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if x != 5 || y != 4 {
		t.Errorf("the cursor is at %d,%d", x, y)
	}
	b.Top()
	if _, x, y = b.Rows(2); x != 0 || y != 0 {
		t.Errorf("the cursor is at %d,%d", x, y)
	}
	b.Bottom()
	rows, _, y = b.Rows(2)
	if strings.Join(rows, "|") != "日本語|    x" || y != 1 {
		t.Errorf("%q %d", rows, y)
	}
	b.Up()
	if rows, _, y = b.Rows(2); rows[0] != "日本語" || y != 0 { // scrolls no more than needed
		t.Errorf("%q %d", rows, y)
	}
	b.Click(4, 0)
	if got := state(b); !strings.Contains(got, "日本|語") {
		t.Errorf("clicked: %q", got)
	}
	if n := b.Height(3); n != 3 {
		t.Errorf("height %d", n)
	}
}

func TestUpAndDownTellTheEnds(t *testing.T) {
	b := New("a\nb")
	b.Layout(10, ansi.WcWidth)
	if !b.Up() || b.Up() || !b.Down() || b.Down() {
		t.Error("wrong ends")
	}
}

func TestCompletion(t *testing.T) {
	b := New("x\n/as")
	if text, first := b.Before(); text != "/as" || first {
		t.Errorf("%q %v", text, first)
	}
	b.ReplaceBefore(3, "/ask-jan ")
	if got := state(b); got != "x\n/ask-jan |" {
		t.Errorf("%q", got)
	}
}

func TestOneLine(t *testing.T) {
	b := NewLine("a\nb")
	b.Insert("c\nd")
	if b.Text() != "a bc d" {
		t.Errorf("%q", b.Text())
	}
}

// TestRandomKeys: whatever is done, the cursor stands between characters and in the rows shown.
func TestRandomKeys(t *testing.T) {
	names := strings.Fields("left right up down home end top bottom wl wr bs del dw kill killback yank a ~ \\n 日 👩‍💻 word~word \t")
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := New("")
		b.Layout(5+r.IntN(20), ansi.WcWidth)
		for range 100 {
			k := names[r.IntN(len(names))]
			keys(b, k)
			if r.IntN(20) == 0 {
				b.Layout(5+r.IntN(20), ansi.WcWidth)
			}
			h := 1 + r.IntN(5)
			rows, x, y := b.Rows(h)
			if len(rows) > h || y >= len(rows) || x > b.width || !utf8.ValidString(b.Text()) {
				t.Fatalf("after %s: %d rows of %d, cursor %d,%d, text %q", k, len(rows), h, x, y, b.Text())
			}
		}
	}
}

// BenchmarkPaste is a megabyte pasted, shown, and a key typed after it.
func BenchmarkPaste(b *testing.B) {
	for name, text := range map[string]string{
		"lines": strings.Repeat("a line of text that was pasted\n", 1<<20/31),
		"line":  strings.Repeat("a line of text that was pasted ", 1<<20/31),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x := New("")
				x.Layout(78, ansi.WcWidth)
				x.Insert(text)
				x.Rows(10)
				x.Insert("y")
				x.Rows(10)
			}
		})
	}
}
