package edit_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mini-me/mm/tools/edit"
)

// corpusCase is a case of testdata/cases.json; testdata/README.md says what its fields mean.
type corpusCase struct {
	Name       string
	Path       string
	FileBefore *string `json:"file_before"`
	Edits      []struct{ Old, New string }
	DryRun     bool `json:"dry_run"`
	Expect     struct {
		OK                 bool
		FileAfter          *string  `json:"file_after"`
		WouldBe            *string  `json:"would_be"`
		IgnoringCR         *string  `json:"file_after_ignoring_cr"`
		IgnoringTrailing   *string  `json:"file_after_ignoring_trailing_space"`
		IgnoringBlankLines *string  `json:"file_after_ignoring_blank_lines"`
		WSMatches          *int     `json:"ws_matches"`
		Lines              []int    `json:"lines"`
		RefusalContains    []string `json:"refusal_contains"`
		HintLines          []int    `json:"hint_lines"`
		NoHint             bool     `json:"no_hint"`
	}
}

func corpus(t testing.TB) []corpusCase {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []corpusCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func (c corpusCase) edits() []edit.Edit {
	var edits []edit.Edit
	for _, e := range c.Edits {
		edits = append(edits, edit.Edit{Old: e.Old, New: e.New})
	}
	return edits
}

func TestCorpus(t *testing.T) {
	ran := 0
	for _, c := range corpus(t) {
		if c.FileBefore == nil {
			continue // the file tools' own test has it
		}
		ran++
		t.Run(c.Name, func(t *testing.T) {
			r, err := edit.Apply(c.Path, *c.FileBefore, c.edits())
			if (err == nil) != c.Expect.OK {
				t.Fatalf("applied = %v, want %v: %v", err == nil, c.Expect.OK, err)
			}
			if err != nil {
				c.checkRefusal(t, err.Error())
				return
			}
			c.checkText(t, r.Text)
			header := r.Header(c.Path, edit.Compare(*c.FileBefore, r.Text), c.DryRun)
			if w := c.Expect.WSMatches; w != nil && *w != r.Tolerant {
				t.Errorf("%d tolerant matches, want %d", r.Tolerant, *w)
			}
			suffix := fmt.Sprintf(" · %d matched ignoring whitespace", r.Tolerant)
			if strings.HasSuffix(header, suffix) != (r.Tolerant > 0) {
				t.Errorf("header %q", header)
			}
		})
	}
	t.Logf("%d cases of the corpus", ran)
}

func (c corpusCase) checkText(t *testing.T, got string) {
	t.Helper()
	trailing := regexp.MustCompile(`(?m)[ \t\r]+$`)
	blank := regexp.MustCompile(`(?m)^[ \t\r]*\n`)
	for _, w := range []struct {
		want   *string
		ignore func(string) string
	}{
		{c.Expect.WouldBe, func(s string) string { return s }},
		{c.Expect.FileAfter, func(s string) string { return s }},
		{c.Expect.IgnoringCR, func(s string) string { return strings.ReplaceAll(s, "\r", "") }},
		{c.Expect.IgnoringTrailing, func(s string) string { return trailing.ReplaceAllString(s, "") }},
		{c.Expect.IgnoringBlankLines, func(s string) string { return blank.ReplaceAllString(s, "") }},
	} {
		if w.want == nil || c.DryRun && w.want == c.Expect.FileAfter {
			continue
		}
		if diff := cmp.Diff(w.ignore(*w.want), w.ignore(got)); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
	}
}

func (c corpusCase) checkRefusal(t *testing.T, got string) {
	t.Helper()
	for _, want := range c.Expect.RefusalContains {
		if !strings.Contains(got, want) {
			t.Errorf("refusal lacks %q:\n%s", want, got)
		}
	}
	if len(c.Expect.Lines) > 0 {
		want := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Expect.Lines), " ", ", "), "[]")
		if !strings.Contains(got, "(lines "+want+")") {
			t.Errorf("refusal lacks lines %s:\n%s", want, got)
		}
	}
	const hint = "the closest the file comes to it"
	if c.Expect.NoHint && strings.Contains(got, hint) {
		t.Errorf("refusal has a hint:\n%s", got)
	}
	if len(c.Expect.HintLines) > 0 && !strings.Contains(got, hint) {
		t.Errorf("refusal has no hint:\n%s", got)
	}
	lines := strings.Split(*c.FileBefore, "\n")
	for _, n := range c.Expect.HintLines {
		if want := fmt.Sprintf("│ %d │ %s", n, lines[n-1]); !strings.Contains(got, want) {
			t.Errorf("refusal lacks %q:\n%s", want, got)
		}
	}
	if testing.Verbose() {
		t.Log(got)
	}
}
