//go:build linux

package faults

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/mmtest"
)

// decision is a line of the audit file, or a decision among the events.
type decision struct {
	Type     string `json:"type"`
	Key      string `json:"key"`
	Title    string `json:"title"`
	Decision string `json:"decision"`
	By       string `json:"by"`
	Hash     string `json:"input_sha256"`
	Session  string `json:"session"`
	Time     string `json:"time"`
}

func (d decision) String() string { return fmt.Sprintf("%s %s by %s", d.Key, d.Decision, d.By) }

// decisions are the decisions among lines of JSON, sorted.
func decisions(t testing.TB, lines string) []string {
	t.Helper()
	var list []string
	s := bufio.NewScanner(strings.NewReader(lines))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var d decision
		if err := json.Unmarshal(s.Bytes(), &d); err != nil {
			t.Errorf("%v: %s", err, s.Text())
		}
		if d.Decision != "" {
			list = append(list, d.String())
		}
	}
	slices.Sort(list)
	return list
}

// chain is a team in which each asks the next: lead, jan, homer; the last runs a command. What jan
// and homer are asked is the rest of the prompt.
func chain(t testing.TB) *models {
	return newModels(t, func(a *llmtest.Answer, r *llmtest.Request) {
		next, rest, _ := strings.Cut(r.Last().Content, ": ")
		switch {
		case r.Last().Role == "tool":
			a.Text(r.System() + ": " + r.Last().Content)
		case next == "run":
			bash(a, rest)
		default:
			calls(a, next+": "+rest)
		}
	})
}

// TestEveryDecisionIsRecorded: by whom, at every level, in the audit file and in the events, in the
// same words.
func TestEveryDecisionIsRecorded(t *testing.T) {
	const deny = "#!/bin/sh\necho not that >&2\nexit 2\n"
	for _, c := range []struct {
		name  string
		lead  string // of the lead's agent file
		entry string // of its entry for jan
		jan   string // of jan's agent file
		args  []string
		want  []string
	}{
		{"yolo", "", "", "", []string{"-p", "jan: homer: run: echo hi"},
			[]string{"ask_agent allow by yolo", "jan/ask_agent allow by yolo", "jan/homer/bash allow by yolo"}},
		{"the entry's yolo", "yolo: false", "yolo: true", "", []string{"--ask", "jan", "homer: run: echo hi"},
			[]string{"jan/ask_agent allow by entry yolo", "jan/homer/bash allow by entry yolo"}},
		{"nobody there", "yolo: false", "", "", []string{"--ask", "jan", "run: echo hi"},
			[]string{"jan/bash reject by unattended"}},
		{"a hook allows, nobody there", "yolo: false\nhooks: {preToolCall: [{match: jan/ask_agent, command: 'echo {\\\"decision\\\": \\\"allow\\\"}'}]}", "", "",
			[]string{"--ask", "jan", "homer: run: echo hi"}, []string{"jan/ask_agent allow by hook", "jan/homer/bash reject by unattended"}},
		{"the lead's hook denies", "hooks: {preToolCall: [{match: jan/homer/bash, command: ./deny.sh}]}", "", "",
			[]string{"-p", "jan: homer: run: echo hi"}, []string{"ask_agent allow by yolo", "jan/ask_agent allow by yolo", "jan/homer/bash reject by hook"}},
		{"jan's own hook denies", "", "", "hooks: {preToolCall: [{match: bash, command: ./deny.sh}]}",
			[]string{"-p", "jan: run: echo hi"}, []string{"ask_agent allow by yolo", "jan/bash reject by hook"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := chain(t)
			h := newHouse(t, racedMM(t), map[string]string{
				"mm.yaml":    m.agent("lead", "audit: audit\nmmConfigs: {jan: {path: jan.yaml, "+c.entry+"}}\n"+c.lead),
				"jan.yaml":   m.agent("jan", "audit: audit.jan\nmmConfigs: {homer: homer.yaml}\n"+c.jan),
				"homer.yaml": m.agent("homer", "audit: audit.homer"),
				"deny.sh":    deny,
			})
			e := h.run(append(c.args, "--output", "events")...)
			if got := decisions(t, h.file("audit")); !slices.Equal(got, c.want) {
				t.Errorf("audit %q, want %q\n%s%s", got, c.want, mmtest.Clip(e.stdout), e.stderr)
			}
			if got := decisions(t, e.stdout); !slices.Equal(got, c.want) {
				t.Errorf("events %q, want %q", got, c.want)
			}
			if st, err := os.Stat(h.path("audit")); err != nil || st.Mode().Perm() != 0o600 {
				t.Errorf("the audit file has mode %v (%v)", st.Mode(), err)
			}
			h.checkRefused(c.want, e.stdout)
			// The agents below keep their own account of what they asked for.
			for _, agent := range []string{"jan", "homer"} {
				for _, d := range c.want {
					key, ok := strings.CutPrefix(strings.Fields(d)[0], map[string]string{"jan": "jan/", "homer": "jan/homer/"}[agent])
					if ok && !strings.Contains(key, "/") && !strings.Contains(h.file("audit."+agent), `"key":"`+key+`"`) {
						t.Errorf("%s's own audit file lacks %s: %s", agent, key, h.file("audit."+agent))
					}
				}
			}
		})
	}
}

// checkRefused checks that what was rejected stands among what the report calls refused.
func (h *house) checkRefused(want []string, events string) {
	h.t.Helper()
	for _, d := range want {
		if key := strings.Fields(d)[0]; strings.Contains(d, " reject ") && !strings.Contains(events[strings.LastIndex(events, `"type":"end"`):], `"refused":[{"key":"`+key+`"`) {
			h.t.Errorf("%s isn't among the refused", key)
		}
	}
}

// TestThePersonsDecisionsAreRecorded: the user, what is remembered, and what nobody decided; with the
// table of open requests in the log and in /permissions.
func TestThePersonsDecisionsAreRecorded(t *testing.T) {
	m := chain(t)
	h := newHouse(t, racedMM(t), map[string]string{
		"mm.yaml":    m.agent("lead", "audit: audit\nyolo: false\nmmConfigs: {jan: jan.yaml}"),
		"jan.yaml":   m.agent("jan", "mmConfigs: {homer: homer.yaml}"),
		"homer.yaml": m.agent("homer", ""),
	})
	x := h.terminal("--log", h.path("log"))
	x.Expect(`^> `)
	x.Keys("/ask-jan homer: run: echo hi\n")
	x.Expect(`^🔐 jan · ask_agent: homer — run: echo hi$`)
	x.Keys("s\n")
	x.Expect(`^🔐 jan · homer · bash: echo hi$`)
	x.Keys("/permissions\n")
	x.Expect(`^waits since [0-9:]+: jan/homer/bash: echo hi$`)
	x.Expect(`^allowed in this session: jan/ask_agent$`)
	x.Keys("r\n")
	x.Expect(`command rejected by the user`)
	x.Expect(`^> `)
	x.Keys("/ask-jan homer: run: echo ho\n")
	x.Expect(`^🔐 jan · homer · bash: echo ho$`)
	x.Keys("/abort\n")
	x.Expect(`\(withdrawn\)`)
	x.Expect(`^> `)
	x.Keys("/quit\n")
	x.Exits(0)
	want := []string{"jan/ask_agent allow by memory", "jan/ask_agent allow by user", "jan/homer/bash cancelled by ", "jan/homer/bash reject by user"}
	if got := decisions(t, h.file("audit")); !slices.Equal(got, want) {
		t.Errorf("audit %q, want %q", got, want)
	}
	log := h.file("log")
	for _, line := range []string{"1 permission request(s) open; jan/homer/bash (echo hi) since ", "0 permission request(s) open",
		"jan/homer/bash (echo hi): reject by user", "jan/homer/bash (echo ho): cancelled"} {
		if !strings.Contains(log, line) {
			t.Errorf("the log lacks %q:\n%s", line, log)
		}
	}
}
