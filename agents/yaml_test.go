package agents

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestAnchorsAndMergeKeys(t *testing.T) {
	f := newWorld(t, "mm.yaml", `
mmConfigs:
  jan: &base
    path: jan.yaml
    timeout: 2m
    env: &env {A: "1", B: "2"}
  homer:
    <<: *base
    path: homer.yaml
    env:
      <<: [{B: "3"}, *env]
      C: "4"
  marge: *base
mcpServers:
  a: {command: x, args: &args [one, &two two]}
  b: {command: *two, args: *args}
`).load()
	homer := f.MMConfigs["homer"]
	if !strings.HasSuffix(homer.Path, "homer.yaml") || homer.Timeout != 2*time.Minute ||
		homer.Env["A"] != "1" || homer.Env["B"] != "3" || homer.Env["C"] != "4" || len(homer.Env) != 3 {
		t.Errorf("homer: %s %v %v", homer.Path, homer.Timeout, homer.Env)
	}
	if marge := f.MMConfigs["marge"]; !strings.HasSuffix(marge.Path, "jan.yaml") || marge.Name != "marge" || marge.Line != 13 {
		t.Errorf("marge: %s %s %d", marge.Name, marge.Path, marge.Line)
	}
	if b := f.MCPServers["b"]; b.Command != "two" || strings.Join(b.Args, " ") != "one two" {
		t.Errorf("b: %s %v", b.Command, b.Args)
	}
}

func TestAFaultInAnAnchorIsToldOnce(t *testing.T) {
	newWorld(t, "mm.yaml", "mmConfigs:\n  jan: &base\n    path: a\n    timeout: soon\n  homer: *base\n  marge:\n    <<: *base\n").wantProblems(
		`mm.yaml:4:14: "timeout" must be a duration such as 90s, 2m or a number of seconds, but this is the text "soon"`)
}

func TestBadAliases(t *testing.T) {
	newWorld(t, "mm.yaml", "extraBody: &x\n  a: *x\n").wantProblems(
		`mm.yaml:2:6: "a" contains itself: an alias can't stand inside its own anchor`)
	newWorld(t, "mm.yaml", "extraBody: {a: &x [*x]}\n").wantProblems(
		`mm.yaml:1:20: item 1 of "a" contains itself: an alias can't stand inside its own anchor`)
	newWorld(t, "mm.yaml", "acp: &a\n  <<: *a\n").wantProblems(
		`mm.yaml:2:7: "acp" contains itself: an alias can't stand inside its own anchor`)
	newWorld(t, "mm.yaml", "acp:\n  <<: 5\n").wantProblems(
		`mm.yaml:2:7: "<<" takes a map or a list of maps to merge, but this is a number`)
	newWorld(t, "mm.yaml", "acp:\n  <<: [{title: a}, 5]\n").wantProblems(
		`mm.yaml:2:7: "<<" takes a map or a list of maps to merge`)
}

// TestAliasBombs: a kilobyte that describes gigabytes is refused, quickly.
func TestAliasBombs(t *testing.T) {
	lists := func(item, open, end string) string {
		text := "  a: &a " + item + "\n"
		for c := 'b'; c < 'm'; c++ {
			last := "*" + string(c-1)
			text += fmt.Sprintf("  %c: &%c %s%s%s%s\n", c, c, open, strings.Repeat(last+", ", 9), last, end)
		}
		return text
	}
	for name, yaml := range map[string]string{
		"lists":  "extraBody:\n" + lists("x", "[", "]"),
		"merges": "extraBody:\n" + lists("{a: b}", "{<<: [", "]}"),
		"texts":  "extraBody:\n  a: &a " + strings.Repeat("x", 100_000) + "\n  b: [" + strings.Repeat("*a,", 10_000) + "]\n",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got := newWorld(t, "mm.yaml", yaml).problems()
			if len(got) != 1 || !strings.HasSuffix(got[0], "the aliases of this file repeat too much: more than 16 MiB") {
				t.Errorf("problems:\n%s", strings.Join(got[:min(len(got), 5)], "\n"))
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestDeepNesting(t *testing.T) {
	got := newWorld(t, "mm.yaml", "extraBody: {a: "+strings.Repeat("[", 200)+strings.Repeat("]", 200)+"}").problems()
	if len(got) != 1 || !strings.Contains(got[0], "is nested too deep: more than 100 levels") {
		t.Errorf("problems: %v", got)
	}
}

func TestOddKeys(t *testing.T) {
	newWorld(t, "mm.yaml", "5: a\n? [x]\n: b\n~: c\ntrue: d\n\"mo\\ndel\": e\n").wantProblems(
		`mm.yaml:1:1: unknown key "5"`,
		`mm.yaml:2:3: a key must be text, but this is a list`,
		`mm.yaml:4:1: a key must be text, but this is nothing`,
		`mm.yaml:5:1: unknown key "true"`,
		`mm.yaml:6:1: unknown key "mo\ndel" — did you mean "model"?`,
	)
}

func TestDuplicatesAtEveryLevel(t *testing.T) {
	newWorld(t, "mm.yaml", "model: a\nacp: {title: a,\n  title: b}\nmmConfigs:\n  jan: a\n  jan: b\nextraBody:\n  x: 1\n  x: 2\nmodel: c\n").wantProblems(
		`mm.yaml:3:3: duplicate key "title": it stands in line 2 already`,
		`mm.yaml:6:3: duplicate key "jan": it stands in line 5 already`,
		`mm.yaml:9:3: duplicate key "x": it stands in line 8 already`,
		`mm.yaml:10:1: duplicate key "model": it stands in line 1 already`,
	)
}

func TestLineEndsOfUnicodeCount(t *testing.T) {
	newWorld(t, "mm.yaml", "model: a # one\u2028two: b\n").wantProblems(`mm.yaml:2:1: unknown key "two"`)
}

func TestNearest(t *testing.T) {
	keys := agentFile().keys()
	for word, want := range map[string]string{
		"mmConfig": "mmConfigs", "MMCONFIGS": "mmConfigs", "mm_configs": "mmConfigs", "base-url": "baseURL",
		"modle": "model", "temprature": "temperature", "hook": "hooks", "xyz": "", "": "", "e": "",
		"a very long key that is nothing like any of those that there are in the table of keys": "",
	} {
		if got := nearest(word, keys); got != want {
			t.Errorf("nearest to %q: %q, want %q", word, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"größe", "grösse", 2}} {
		if got := slips(c.a, c.b); got != c.want {
			t.Errorf("slips(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
