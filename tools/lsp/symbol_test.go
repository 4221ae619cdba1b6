package lsp

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestIdentifiers(t *testing.T) {
	for s, want := range map[string]string{
		"Greet":                           "Greet",
		"Greet', ":                        "Greet",
		"person.Greet":                    "Greet",
		"`Greet()`":                       "Greet",
		`"pkg.Greet".`:                    "Greet",
		"(*Person).Greet(name string)":    "Greet string",
		"Greet[int]":                      "Greet",
		"std::vector<int>":                "vector",
		"a->b.c":                          "c",
		"this.#count":                     "count",
		"obj?.name!":                      "name",
		"$name":                           "$name",
		"${name}":                         "$name",
		"my-func":                         "my-func",
		"-x":                              "x",
		"é_1":                             "é_1",
		"नमस्ते":                          "नमस्ते",
		"main.go:12":                      "go",
		"x:=1":                            "x",
		"FOO=bar":                         "FOO",
		"func Greet":                      "Greet",
		"func (p *Person) Greet() string": "Greet string",
		"def greet(self):":                "greet",
		"export async function greet":     "greet",
		"func":                            "func",
		"Greet 1 12 Hello":                "Greet Hello",
		"Greet -> Hello":                  "Greet Hello",
		"12":                              "",
		"+":                               "",
		"":                                "",
		"\"'":                             "",
	} {
		if got := strings.Join(identifiers(s), " "); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestOccurrences(t *testing.T) {
	s := newText(strings.Join([]string{
		"// Greet greets.",        // 1: comment
		"func Greet() {}",         // 2
		"x := Greeting + GreetMe", // 3: other words
		"/* Greet",                // 4: comment
		" * Greet */",             // 5: comment
		`u = "http://Greet"`,      // 6: code
		"Greet() // and Greet",    // 7: code, comment
		"# Greet",                 // 8: comment
		"/* 𝒳 */ Greet()",         // 9: code
		"é.Greet, Greet_, Greet",  // 10: two
	}, "\n"))
	var got []string
	for _, o := range occurrences(s, []string{"Greet"}) {
		got = append(got, fmt.Sprintf("%d:%d", o.at.Line+1, o.at.Character+1))
	}
	want := []string{"2:6", "6:13", "7:1", "9:10", "10:3", "10:18", "1:4", "4:4", "5:4", "7:16", "8:3"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if got := occurrences(newText("my-func my-func-2 x-my-func\n$x x"), []string{"my-func"}); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if got := occurrences(newText("x $x"), variants("$x")); len(got) != 3 || got[0].at.Character != 2 {
		t.Errorf("%v", got)
	}
}

func TestPositions(t *testing.T) {
	s := newText("foo(foo) foo\nbar\n")
	for _, test := range []struct {
		q    request
		want string
	}{
		{request{names: []string{"foo"}}, "[{0 0} {0 4} {0 9}]"},
		{request{names: []string{"foo"}, line: 1, column: 9}, "[{0 9} {0 4} {0 0}]"},
		{request{names: []string{"foo"}, column: 9}, "[{0 0} {0 4} {0 9}]"},
		{request{line: 2, column: 4}, "[{1 3}]"},
	} {
		list, refused := test.q.positions(s)
		if got := fmt.Sprint(list); got != test.want || refused != "" {
			t.Errorf("%+v: %s %s, want %s", test.q, got, refused, test.want)
		}
	}
	many := newText(strings.Repeat("foo\n", 200))
	if list, _ := (request{names: []string{"foo"}}).positions(many); len(list) != maxOccurrences {
		t.Errorf("%d occurrences", len(list))
	}
	_, refused := request{names: []string{"foo"}, line: 250, name: "x"}.positions(many)
	if want := "[lsp: line 250 is past the end of x (200 lines)]"; refused != want {
		t.Error(refused)
	}
	_, refused = request{names: []string{"bar"}, line: 1, name: "x"}.positions(newText("\n" + strings.Repeat("bar\n", 10)))
	if want := `[lsp: "bar" not found on line 1 of x — it is on lines 2, 3, 4, 5, 6, 7, 8, 9, …]`; refused != want {
		t.Error(refused)
	}
}

func TestText(t *testing.T) {
	s := newText("a𝒳é\r\nb\n\xff\xffc\n")
	if s.count() != 3 || s.line(0) != "a𝒳é" || s.line(2) != "\xff\xffc" || s.line(3) != "" || s.line(9) != "" {
		t.Errorf("%d lines, %q, %q", s.count(), s.line(0), s.line(2))
	}
	for _, test := range []struct {
		p          position
		at, column int
		ok         bool
	}{
		{position{0, 0}, 0, 1, true},
		{position{0, 1}, 1, 2, true},
		{position{0, 2}, 1, 2, true}, // in the middle of 𝒳
		{position{0, 3}, 5, 3, true},
		{position{0, 4}, 7, 4, true},
		{position{0, 99}, 7, 4, true},
		{position{2, 2}, 13, 3, true},
		{position{3, 0}, 15, 1, true},
		{position{4, 0}, 15, 1, true},
		{position{4, 1}, 15, 2, false},
		{position{5, 0}, 0, 1, false},
		{position{-1, 0}, 0, 1, false},
	} {
		at, ok := s.offset(test.p)
		if ok != test.ok || ok && at != test.at || s.column(test.p) != test.column {
			t.Errorf("%v: %d %v, column %d", test.p, at, ok, s.column(test.p))
		}
	}
	if n := newText("").count(); n != 1 {
		t.Errorf("%d lines in an empty file", n)
	}
}

// FuzzText: a place is the same one however it is named.
func FuzzText(f *testing.F) {
	f.Add("a𝒳é\r\nb\n\xff\xffc\n", 3)
	f.Add("", 0)
	f.Fuzz(func(t *testing.T, s string, at int) {
		x := newText(s)
		if at < 0 || at > len(s) || at < len(s) && !boundary(s, at) {
			return
		}
		p := x.at(at)
		back, ok := x.offset(p)
		if !ok || back != at && !(at > 0 && at < len(s) && s[at-1] == '\r' && s[at] == '\n') {
			t.Fatalf("%q: %d is %v, which is %d (%v)", s, at, p, back, ok)
		}
		q, refused := x.position("x", p.Line+1, x.column(p))
		if p.Line < x.count() && (refused != "" || q != p && back == at) {
			t.Fatalf("%q: %v by line and column is %v (%s)", s, p, q, refused)
		}
	})
}

// boundary reports whether a character begins at a byte.
func boundary(s string, at int) bool {
	for i := range s {
		if i == at {
			return true
		}
	}
	return false
}

// FuzzApplyEdits: one edit replaces what is between its places and nothing else.
func FuzzApplyEdits(f *testing.F) {
	f.Add("a𝒳é\r\nb greet\n", 7, 12, "hello")
	f.Fuzz(func(t *testing.T, s string, from, to int, text string) {
		if from < 0 || to < from || to > len(s) || loneReturn(s) || !utf8.ValidString(s) {
			return
		}
		for _, at := range []int{from, to} {
			if at < len(s) && !utf8.RuneStart(s[at]) || at > 0 && s[at-1] == '\r' {
				return
			}
		}
		x := newText(s)
		got, err := applyEdits(s, []textEdit{{span{x.at(from), x.at(to)}, text}})
		if want := s[:from] + text + s[to:]; err != nil || got != want {
			t.Fatalf("%q: %q, want %q (%v)", s, got, want, err)
		}
	})
}

// FuzzIdentifiers: whatever a model writes, what is looked for is a name that stands in it.
func FuzzIdentifiers(f *testing.F) {
	f.Add("func (p *Person) ${Greet}()")
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range identifiers(s) {
			if !beginsName(name) || !strings.Contains(strings.ReplaceAll(s, "${", "$"), name) {
				t.Fatalf("%q: %q", s, name)
			}
			occurrences(newText(s), variants(name))
		}
	})
}
