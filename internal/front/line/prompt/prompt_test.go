package prompt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/ui/cells"
)

func names(keys []Key) string {
	var out []string
	for _, k := range keys {
		switch {
		case k.Pasted:
			out = append(out, fmt.Sprintf("paste(%q)", k.Text))
		case k.Name == "":
			out = append(out, `"`+k.Text+`"`)
		default:
			out = append(out, k.Name)
		}
	}
	return strings.Join(out, " ")
}

func TestKeys(t *testing.T) {
	for in, want := range map[string]string{
		"abc":                         `"abc"`,
		"é日👩‍💻":                       `"é日👩‍💻"`,
		"a\rb\n":                      `"a" enter "b" enter`,
		"\r\n":                        `enter`,
		"\x1b[A\x1b[B\x1bOC\x1bOD":    `up down right left`,
		"\x1b[1;5C\x1b[1;3D\x1b[H":    `ctrl+right alt+left home`,
		"\x1b[3~\x1b[4~\x1b[1~":       `delete end home`,
		"\x1bb\x1bf\x1b\x7f\x1b\r":    `alt+b alt+f alt+backspace alt+enter`,
		"\x01\x03\x04\x12\x7f\x08\t":  `ctrl+a ctrl+c ctrl+d ctrl+r backspace backspace tab`,
		"\x1b[Z\x1b":                  `shift+tab esc`,
		"\x1b[200~a\rb\x1b[201~c":     `paste("a\rb") "c"`,
		"x\x1b[200~\x1b[A\x1b[201~\r": `"x" paste("\x1b[A") enter`,
		"\x1b[99;99;99Xa":             `unknown "a"`,
		"\x1b[\x01a":                  `ctrl+a "a"`,
		"\xffa":                       `"�a"`,
		"\x00a":                       `"a"`,
	} {
		var k Keys
		if got := names(k.Feed([]byte(in))); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
		if strings.Contains(in, "\x1b") || strings.Contains(in, "\r\n") {
			continue // sequences come in one read
		}
		var one Keys
		var all []Key
		for i := range len(in) {
			all = append(all, one.Feed([]byte{in[i]})...)
		}
		if got := strings.ReplaceAll(names(all), `" "`, ""); got != want {
			t.Errorf("%q byte by byte: %s, want %s", in, got, want)
		}
	}
}

func TestPasteInPieces(t *testing.T) {
	var k Keys
	var all []Key
	text := strings.Repeat("line 日\n", 5000)
	for in := []byte(pasteBegins + text + pasteEnds + "\r"); len(in) > 0; {
		n := min(100, len(in))
		all = append(all, k.Feed(in[:n])...)
		in = in[n:]
	}
	if len(all) != 2 || all[0].Text != text || all[1].Name != "enter" {
		t.Errorf("%d keys", len(all))
	}
}

// TestPasteTooLarge: the end mark may come in pieces, also where the paste is cut.
func TestPasteTooLarge(t *testing.T) {
	const over = 1 << 20
	body := append([]byte(pasteBegins), bytes.Repeat([]byte("x"), maxPaste+over)...)
	for split := range len(pasteEnds) + 1 {
		var k Keys
		all := k.Feed(append(body[:len(body):len(body)], pasteEnds[:split]...))
		all = append(all, k.Feed([]byte(pasteEnds[split:]+"\r"))...)
		want := fmt.Sprintf("x\n[... %d more bytes of the paste left out]", over)
		if len(all) != 2 || len(all[0].Text) != maxPaste-1+len(want) || !strings.HasSuffix(all[0].Text, want) || all[1].Name != "enter" {
			t.Fatalf("cut after %d bytes of the mark: %d keys", split, len(all))
		}
	}
}

// press feeds an editor and returns what was submitted, in order.
func press(e *Editor, in string) (submitted []string) {
	var k Keys
	for _, key := range k.Feed([]byte(in)) {
		if e.Key(key) == Submit {
			submitted = append(submitted, e.Take())
		}
	}
	return submitted
}

func TestSubmit(t *testing.T) {
	for in, want := range map[string][]string{
		"hello\r":                             {"hello"},
		"one \\\rtwo\r":                       {"one \ntwo"},
		"one\x1b\rtwo\r":                      {"one\ntwo"},
		"\x1b[200~a\nb\r\nc\x1b[201~ d\r":     {"a\nb\nc d"},
		"\x1b[200~\x1b[31mred\x07\x1b[201~\r": {"[31mred"},
		"helo\x1b[Dl\r":                       {"hello"},
		"hello world\x17there\r":              {"hello there"},
		"\r":                                  {""},
		"日本\x7f語\r":                           {"日語"},
		"a\x03":                               nil,
	} {
		e := New(&History{}, nil)
		if d := cmp.Diff(want, press(e, in)); d != "" {
			t.Errorf("%q (-want +got):\n%s", in, d)
		}
	}
}

func TestHistoryAcrossRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	e := New(OpenHistory(path), nil)
	press(e, "first\rsecond\rsecond\r hidden\r\x1b[200~two\nlines\x1b[201~\r")
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
	e = New(OpenHistory(path), nil)
	e.buf.Layout(40, ansi.WcWidth)
	press(e, "draft\x1b[A")
	if e.Text() != "two\nlines" {
		t.Errorf("up: %q", e.Text())
	}
	press(e, "\x1b[A\x1b[A\x1b[A") // through the two lines, then further back
	if e.Text() != "first" {
		t.Errorf("up again: %q", e.Text())
	}
	press(e, "\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B")
	if e.Text() != "draft" {
		t.Errorf("down again: %q", e.Text())
	}
	// An answer isn't kept, and no history stands behind it.
	e.Set("")
	e.Answering(true)
	if got := press(e, "\x1b[Aa\r"); len(got) != 1 || got[0] != "a" {
		t.Errorf("%q", got)
	}
	if h := OpenHistory(path); h.At(0) != "two\nlines" || h.Len() != 3 {
		t.Errorf("%q", h.entries)
	}
}

func TestHistoryFileStaysSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	for i := range fileLines + 5 {
		fmt.Fprintf(&b, "\"entry %d\"\n", i)
	}
	b.WriteString("damage\n")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h := OpenHistory(path)
	if h.Len() != keepEntries || h.At(0) != fmt.Sprint("entry ", fileLines+4) {
		t.Errorf("%d entries, the newest %q", h.Len(), h.At(0))
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != keepEntries {
		t.Errorf("%d lines, %v", strings.Count(string(text), "\n"), err)
	}
}

func TestSearch(t *testing.T) {
	h := &History{}
	for _, s := range []string{"make test", "git diff", "make build"} {
		h.put(s)
	}
	for in, want := range map[string]string{
		"\x12make\r":          "make build",
		"\x12make\x12\r":      "make test",
		"\x12MAKE\x12\x12\r":  "make test",
		"\x12maked\x7f\r":     "make build",
		"x\x12nothing\x03\r":  "x",
		"\x12git\x1b[D\x7f\r": "git dif",
		"typed\x12\r":         "typed",
	} {
		e := New(h, nil)
		e.History = &History{entries: append([]string(nil), h.entries...)}
		if got := press(e, in); len(got) != 1 || got[0] != want && want != "git dif" {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCompletion(t *testing.T) {
	complete := func(before string, first bool) ([]Candidate, int) {
		all := []Candidate{{Text: "/ask"}, {Text: "/ask-jan", Help: "reviews"}, {Text: "/agents"}, {Text: "src/", Open: true}}
		word := before[strings.LastIndexByte(before, ' ')+1:]
		var out []Candidate
		for _, c := range all {
			if strings.HasPrefix(c.Text, word) && word != "" {
				out = append(out, c)
			}
		}
		return out, len(word)
	}
	for in, want := range map[string]string{
		"/ag\t\r":        "/agents ",
		"/a\t\r":         "/a",
		"/as\t\r":        "/ask",
		"/as\t\t\t\r":    "/ask-jan",
		"/as\t\t\t\t\r":  "/ask",
		"/as\t\x1b[Z\r":  "/ask-jan",
		"/as\t\t\t hi\r": "/ask-jan hi",
		"look in s\tx\r": "look in src/x",
		"nothing\t\r":    "nothing",
		"\t\r":           "",
	} {
		e := New(nil, complete)
		if got := press(e, in); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	e := New(nil, complete)
	press(e, "/a\t\t")
	v := e.View("> ", 20, 10, ansi.WcWidth)
	want := []string{"> /ask", "❯ /ask", "  /ask-jan  reviews", "  /agents"}
	if d := cmp.Diff(want, v.Rows); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestViewFitsAnyWidth: whatever is typed, rows are no wider than the terminal, and the cursor stands
// in them.
func TestViewFitsAnyWidth(t *testing.T) {
	long := "  [a]llow once · allow for the [s]ession · [r]eject · [n]ever in this session ? "
	for _, width := range []int{10, 20, 40, 80, 100} {
		for _, ask := range []string{"> ", long, " ? "} {
			for _, text := range []string{"", "short", strings.Repeat("word ", 60), strings.Repeat("日本語", 40), "a\nb\n" + strings.Repeat("x", 99), "👩‍💻👩‍💻👩‍💻 é", "\x1b[A"} {
				e := New(&History{entries: []string{text}}, nil)
				e.buf.Insert(text)
				for range 2 {
					v := e.View(ask, width, 10, ansi.WcWidth)
					for _, r := range v.Rows {
						if n := cells.Width(r, ansi.WcWidth); n > width && text != "\x1b[A" {
							t.Errorf("width %d, prompt %q, text %q: row %q takes %d cells", width, ask, text, r, n)
						}
					}
					if v.Y >= len(v.Rows) || v.X >= max(width, 4)+1 || len(v.Rows) != len(v.Dim) {
						t.Errorf("width %d: the cursor is at %d,%d of %d rows", width, v.X, v.Y, len(v.Rows))
					}
					press(e, "\x12w") // the same while history is searched
				}
			}
		}
	}
}

func FuzzEditor(f *testing.F) {
	f.Add("hello\x1b[A\x12x\t\x1b[200~a\nb\x1b[201~\x17\x19\x1b\r\r", 20)
	f.Fuzz(func(t *testing.T, in string, width int) {
		h := &History{entries: []string{"one", "two\nlines"}}
		e := New(h, func(string, bool) ([]Candidate, int) {
			return []Candidate{{Text: "ab"}, {Text: "abc\x1b[2J"}}, 0
		})
		var k Keys
		for _, key := range k.Feed([]byte(in)) {
			e.Key(key)
			v := e.View("> ", width%200, 5, ansi.WcWidth)
			for _, r := range v.Rows {
				if !utf8.ValidString(r) || strings.ContainsAny(r, "\x1b\n\r\a\u202e") {
					t.Fatalf("row %q", r)
				}
			}
		}
	})
}
