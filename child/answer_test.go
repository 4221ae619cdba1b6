package child

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnswerIsWhatFollowsTheLastCall(t *testing.T) {
	for _, c := range []struct {
		name, want string
		did        func(a *answer)
	}{
		{"no call", "ab", func(a *answer) { a.add("a"); a.add("b") }},
		{"after a call", "b", func(a *answer) { a.add("a"); a.call(); a.add("b") }},
		{"nothing after it", "a", func(a *answer) { a.add("a"); a.call() }},
		{"blanks after it", "a \n", func(a *answer) { a.add("a"); a.call(); a.add(" \n") }},
		{"nothing", "", func(*answer) {}},
	} {
		var a answer
		c.did(&a)
		if got := a.String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestMuchTextBeforeACall: it once used up the room for the answer.
func TestMuchTextBeforeACall(t *testing.T) {
	var a answer
	a.add(strings.Repeat("é", maxAnswer))
	a.call()
	a.add("the answer")
	if got := a.String(); got != "the answer" {
		t.Errorf("%.50q", got)
	}
}

func TestACutAnswerSaysSo(t *testing.T) {
	var a answer
	a.add("x")
	a.add(strings.Repeat("é", maxAnswer))
	a.add("y")
	kept := (maxAnswer - 1) / 2
	want := fmt.Sprintf("é\n[... %d more characters]", maxAnswer-kept+1)
	if got := a.String(); !strings.HasPrefix(got, "xé") || !strings.HasSuffix(got, want) {
		t.Errorf("…%q, want …%q", got[len(got)-60:], want)
	}
}
