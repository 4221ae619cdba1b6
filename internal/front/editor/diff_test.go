package editor

import (
	"strings"
	"testing"

	"github.com/mini-me/mm/consent"
)

// TestLargeDiffs: one word changed in a file of 10 MB was three frames of 22 MB.
func TestLargeDiffs(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	many := strings.Repeat(line, 50_000)
	head, tail := "one\ntwo\n", "three\nfour\n"
	old := many + head + "old word\n" + tail + many
	c := diffContent(consent.Diff{Path: "/f", Old: &old, New: many + head + "new word\n" + tail + many})
	if want := line + head + "old word\n" + tail + line; *c.OldText != want {
		t.Errorf("%q, want %q", *c.OldText, want)
	}
	if want := line + head + "new word\n" + tail + line; *c.NewText != want {
		t.Errorf("%q, want %q", *c.NewText, want)
	}
	for name, d := range map[string]consent.Diff{
		"a new file": {New: many}, "all of it": {Old: &many, New: strings.Repeat("y\n", 1<<20)},
		"more at the end": {Old: &many, New: many + "end"}, "nothing left": {Old: &many, New: ""},
		"within equal bytes": {Old: &many, New: many + many},
	} {
		c := diffContent(d)
		n := len(*c.NewText)
		if (c.OldText == nil) != (d.Old == nil) {
			t.Errorf("%s: the old text is %v", name, c.OldText)
		}
		if c.OldText != nil {
			n += len(*c.OldText)
		}
		if n > maxDiff {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
	small := "a\n"
	if c := diffContent(consent.Diff{Old: &small, New: "b\n"}); *c.OldText != small || *c.NewText != "b\n" {
		t.Errorf("%+v", c)
	}
}
