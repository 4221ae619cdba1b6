package clip

import "testing"

func TestTo(t *testing.T) {
	for s, want := range map[string]string{"": "", "abc": "abc", "日本語": "日本語", "日本語で": "日本…", "abcdef": "ab…"} {
		if got := To(s, 3); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
