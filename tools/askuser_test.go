package tools_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// person is a Host that answers forms.
type person struct {
	ui.Host
	reply ui.FormReply
	form  ui.Form
}

func (p *person) AskUser(_ context.Context, f ui.Form) ui.FormReply { p.form = f; return p.reply }

func askUser(t *testing.T, p *person, args string) tools.Result {
	t.Helper()
	plan := tools.NewAskUser().Prepare(t.Context(), tools.Call{Args: json.RawMessage(args)})
	if plan.Refused != "" {
		return tools.Result{Text: plan.Refused, Failed: true}
	}
	return plan.Run(t.Context(), p)
}

// TestAskUserTexts holds every result and error of tools.fr.md for ask_user, literally.
func TestAskUserTexts(t *testing.T) {
	two := `{"questions":[{"question":"Which?","options":["a","b"]},{"question":"Why?"}]}`
	for _, c := range []struct {
		name, args string
		reply      ui.FormReply
		want       string
	}{
		{"answered", two, ui.FormReply{State: ui.Replied, Answers: [][]string{{"a"}, {"because"}}}, "The user answered:\n- Which? → a\n- Why? → because"},
		{"several options", `{"questions":[{"question":"Which?","type":"multi","options":["a","b"]}]}`, ui.FormReply{State: ui.Replied, Answers: [][]string{{"a", "b"}}}, "The user answered:\n- Which? → a, b"},
		{"declined", two, ui.FormReply{State: ui.Declined}, "[the user declined to answer: do not ask the same thing again; go on without it or stop]"},
		{"cancelled", two, ui.FormReply{State: ui.Withdrawn}, "[the question was cancelled before the user answered]"},
		{"nobody", two, ui.FormReply{}, "[the user cannot be asked in this mode: make a reasonable assumption, say which, and go on]"},
		{"none", `{}`, ui.FormReply{}, "[ask_user: no question — send questions: [{question, type, options}]]"},
		{"empty list", `{"questions":[]}`, ui.FormReply{}, "[ask_user: no question — send questions: [{question, type, options}]]"},
		{"too many", `{"questions":["a","b","c","d","e"]}`, ui.FormReply{}, "[ask_user: 5 questions — ask at most 4 at a time]"},
		{"no text", `{"questions":["a",{"options":["x","y"]}]}`, ui.FormReply{}, "[ask_user: question 2 has no text]"},
		{"few options", `{"questions":[{"question":"q","type":"choice","options":["x"," X "]}]}`, ui.FormReply{}, "[ask_user: question 1 is a choice question — give it at least two options]"},
		{"few for multi", `{"questions":[{"question":"q","type":"many"}]}`, ui.FormReply{}, "[ask_user: question 1 is a multi question — give it at least two options]"},
		{"type", `{"questions":[{"question":"q","type":"dropdown"}]}`, ui.FormReply{}, `[ask_user: question 1 has type "dropdown" — use choice, multi, text or confirm]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := askUser(t, &person{reply: c.reply}, c.args)
			if r.Text != c.want || r.Failed != (c.reply.State != ui.Replied) {
				t.Errorf("got %q, failed %v\nwant %q", r.Text, r.Failed, c.want)
			}
		})
	}
}

func TestAskUserForgivesModels(t *testing.T) {
	for args, want := range map[string]ui.Question{
		`{"question":"Go on?","type":"yesno","default":"oui"}`:                                         {Text: "Go on?", Type: ui.Confirm, Default: ui.Yes},
		`{"questions":"[{\"question\":\"q\",\"type\":\"Radio\",\"options\":[\" a \",\"A\",\"b\"]}]"}`:  {Text: "q", Type: ui.Choice, Options: []string{"a", "b"}},
		`{"questions":{"question":"q","type":"checkboxes","options":[{"label":"x"},2],"default":"x"}}`: {Text: "q", Type: ui.Multi, Options: []string{"x", "2"}},
		`{"questions":[{"question":"q","type":"freetext","options":["ignored"],"default":7}]}`:         {Text: "q", Type: ui.Free, Default: "7"},
		`{"questions":[{"question":"q","options":["a","b"],"default":"c"}]}`:                           {Text: "q", Type: ui.Choice, Options: []string{"a", "b"}},
		`{"questions":[{"question":"q","type":"bool","default":true}]}`:                                {Text: "q", Type: ui.Confirm, Default: ui.Yes},
	} {
		p := &person{}
		askUser(t, p, args)
		if len(p.form.Questions) != 1 {
			t.Errorf("%s: %+v", args, p.form)
			continue
		}
		got := p.form.Questions[0]
		if got.Text != want.Text || got.Type != want.Type || got.Default != want.Default || !slices.Equal(got.Options, want.Options) {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
}

func TestAskUserSchemaHasNoProperties(t *testing.T) {
	spec := tools.NewAskUser().Spec()
	if n := strings.Count(string(spec.Parameters), `"properties"`); n != 1 || !json.Valid(spec.Parameters) {
		t.Errorf("a question's fields must be described in words: %s", spec.Parameters)
	}
}

func TestAnswersInALine(t *testing.T) {
	choice := ui.Question{Type: ui.Choice, Options: []string{"Red", "Green", "Grey"}, Default: "Green"}
	multi := ui.Question{Type: ui.Multi, Options: []string{"a", "b", "c"}}
	yes := ui.Question{Type: ui.Confirm}
	for _, c := range []struct {
		q    ui.Question
		line string
		want string // joined; "" asks again
	}{
		{choice, "2", "Green"}, {choice, "gre", "gre"}, {choice, "grey", "Grey"}, {choice, "r", "Red"}, {choice, "", "Green"}, {choice, "blue", "blue"}, {choice, "4", ""}, {choice, "0", ""},
		{multi, "1, 3", "a,c"}, {multi, "3;1 1", "a,c"}, {multi, "4", ""}, {multi, "a", ""}, {multi, "", ""},
		{yes, "OUI", "yes"}, {yes, "0", "no"}, {yes, "maybe", ""}, {yes, "", ""},
		{ui.Question{Type: ui.Free}, " hi ", "hi"}, {ui.Question{Type: ui.Free}, "", ""}, {ui.Question{Type: ui.Free, Default: "d"}, "", "d"},
	} {
		got, ok := c.q.ParseLine(c.line)
		if ok != (c.want != "") || ok && strings.Join(got, ",") != c.want {
			t.Errorf("%s %q: %q %v, want %q", c.q.Type, c.line, got, ok, c.want)
		}
	}
}
