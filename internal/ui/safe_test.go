package ui

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n":                    "plain\ttext\n",
		"\x1b[2Jgone":                      "␛[2Jgone",
		"\x1b]8;;http://x\x1b\\y":          "␛]8;;http://x␛\\y",
		"\x1b]52;c;aGk=\a":                 "␛]52;c;aGk=␇",
		"safe\rrm -rf":                     "safe␍rm -rf",
		"dos\r\nline":                      "dos\nline",
		"a\u202egnp.exe":                   "a⟨U+202E⟩gnp.exe",
		"a\u200bb\ufeff":                   "a⟨U+200B⟩b⟨U+FEFF⟩",
		"\u009b31m":                        "⟨U+009B⟩31m",
		"👩‍💻 ❤️ é":                         "👩‍💻 ❤️ é",
		"e" + strings.Repeat("\u0301", 50): "e" + strings.Repeat("\u0301", maxMarks),
		"bad\xff":                          "bad\ufffd",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := CleanTitle("ls\n🔐 bash: fake\x1b[2J"); got != "ls\n  │ 🔐 bash: fake␛[2J" {
		t.Errorf("CleanTitle: %q", got)
	}
	if got := CleanLine("a\nb\n"); got != "a ⏎ b" {
		t.Errorf("CleanLine: %q", got)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m \u202e \r\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) {
			t.Fatalf("%q: not UTF-8", got)
		}
		for _, r := range got {
			if r != '\n' && r != '\t' && (r < 0x20 || r == 0x7f || hidden(r)) {
				t.Fatalf("Clean(%q) = %q still holds %U", s, got, r)
			}
		}
		if Clean(got) != got {
			t.Fatalf("Clean isn't stable on %q", got)
		}
	})
}
