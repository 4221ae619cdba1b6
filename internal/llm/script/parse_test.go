package script

import (
	"strings"
	"testing"
)

func TestParseReportsAllProblemsWithTheirPlaces(t *testing.T) {
	const text = `- when: {user: "(", tool: x}
  tmes: 2
  reply:
    - txt: a
    - call: {arguments: {a: 1, a: 2}}
    - delay: soon
    - text: a
      thought: b
    - error: {status: 200}
    - text: after
- times: 0
- reply: {text: a}
- reply: [{progress: 2}, {call: {name: x, arguments: [1]}}, {usage: {input: -1}}, {break: false}]
- 5
`
	_, err := Parse("team.yaml", []byte(text))
	want := `team.yaml:1:16: user: missing closing ): ` + "`(`" + `
team.yaml:2:3: unknown key "tmes" — did you mean "times"?
team.yaml:4:7: unknown key "txt" — did you mean "text"?
team.yaml:5:13: this call has no name
team.yaml:5:32: key "a" is already set on line 5
team.yaml:6:14: delay: want a duration such as 500ms or 2s
team.yaml:8:7: one action has one key: begin a new one with "- thought:"
team.yaml:9:23: status: want a whole number from 400
team.yaml:10:7: nothing can follow "error"
team.yaml:11:3: this step has no reply
team.yaml:11:10: times: want a whole number from 1
team.yaml:12:10: reply: want a list of actions or a text, got keys
team.yaml:13:22: progress: want a number from 0 to 1
team.yaml:13:54: arguments: want keys, or a text that is sent as it is
team.yaml:13:77: input: want a whole number from 0
team.yaml:13:91: break: want true
team.yaml:14:3: step: want keys (when, times, reply), got a number`
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}

func TestParseTakesOneListOfSteps(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "s:1:1: the script is empty: want a list of steps",
		"# nothing\n":                            "s:1:1: the script is empty: want a list of steps",
		"steps: []":                              "s:1:1: want a list of steps, got keys",
		"[]":                                     "s:1:1: the script has no steps",
		"- reply: a\n---\n- reply: b\n":          "s:2:1: a second document: a script is one list of steps",
		"- reply: [\n":                           "s:1:1: did not find expected node content",
		"- &a\n  reply: b\n- *a\n":               "s:3:3: *a: a script has no aliases, write it out",
		"- &a [*a]\n":                            "s:1:7: *a: a script has no aliases, write it out",
		"- reply: a\n  reply: b\n":               `s:2:3: key "reply" is already set on line 1`,
		"- when: {user: a, from: b}\n  reply: c": `s:1:9: "user" and "tool" can't both be the last message: use "question" for the user's text`,
	} {
		_, err := Parse("s", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestGroupsAreFilledIn(t *testing.T) {
	g := groups{"1": "one", "name": "n"}
	for in, want := range map[string]string{
		"$1 ${1} ${name}":   "one one n",
		"$$1 $HOME ${HOME}": "$1 $HOME ${HOME}",
		"$name costs 5$":    "$name costs 5$",
		"$":                 "$",
		"$2 $12 ${":         "$2 one2 ${",
		"$$":                "$",
	} {
		if got := g.fill(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("- when: {user: a}\n  reply:\n    - call: {name: x, arguments: {a: [1, ~]}}\n")
	f.Add("- &a [*a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("f", []byte(text))
		if (s == nil) == (err == nil) {
			t.Fatal("want either a script or problems")
		}
		if err == nil {
			return
		}
		for _, p := range err.(Problems) {
			if p.Line < 1 || p.Column < 1 || p.Text == "" {
				t.Fatalf("bad problem %+v", p)
			}
		}
	})
}
