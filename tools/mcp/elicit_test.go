package mcp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools/mcp"
)

const person = `{"type":"object","properties":{
	"name":{"type":"string","title":"Name","description":"Your full name","minLength":2},
	"age":{"type":"integer","minimum":0,"maximum":150},
	"agree":{"type":"boolean","description":"Do you agree?","default":true},
	"colour":{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}],"default":"g"},
	"size":{"type":"string","enum":["s","m"]},
	"pets":{"type":"array","items":{"type":"string","enum":["cat","dog","eel"]},"maxItems":2}
	},"required":["name","colour"]}`

// asking is a server that asks during its call, and a person who answers.
func asking(t *testing.T, schema string, reply func(context.Context, ui.Form) ui.FormReply) *bench {
	b := newFake(t, "asks", mcp.Options{Silence: 5 * time.Second}, "MCP_SCHEMA="+strings.Join(strings.Fields(schema), " "))
	b.host.reply = reply
	return b
}

func TestElicitation(t *testing.T) {
	round := 0
	b := asking(t, person, func(_ context.Context, f ui.Form) ui.FormReply {
		round++
		if round == 1 {
			return ui.FormReply{State: ui.Replied, Answers: [][]string{{"A"}, {"Red"}, {"old"}, {"no"}, {"dog", "eel"}, {"m"}}}
		}
		return ui.FormReply{State: ui.Replied, Answers: [][]string{{"Ada"}, {"36"}}}
	})
	want(t, b.call("fake_work", `{"zeal":"1"}`), false, `you said {"action":"accept","content":{"age":36,"agree":false,"colour":"r","name":"Ada","pets":["dog","eel"],"size":"m"}}`)
	forms := []ui.Form{
		{Call: "call-1", Questions: []ui.Question{
			{Text: "fake asks: Who are you?\nName — Your full name", Type: ui.Free},
			{Text: "colour", Type: ui.Choice, Options: []string{"Red", "Green"}, Default: "Green"},
			{Text: "age (optional: - for none)", Type: ui.Free},
			{Text: "agree — Do you agree?", Type: ui.Confirm, Default: "yes"},
			{Text: "pets", Type: ui.Multi, Options: []string{"cat", "dog", "eel"}},
			{Text: "size", Type: ui.Choice, Options: []string{"s", "m"}},
		}},
		{Call: "call-1", Questions: []ui.Question{
			{Text: "fake asks: Who are you?\nName — Your full name [at least 2 characters, please]", Type: ui.Free},
			{Text: "age (optional: - for none) [a number, please]", Type: ui.Free},
		}},
	}
	if d := cmp.Diff(forms, b.host.forms); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestElicitationAnswers(t *testing.T) {
	replied := func(a ...string) ui.FormReply { return ui.FormReply{State: ui.Replied, Answers: [][]string{a}} }
	for name, test := range map[string]struct {
		schema string
		reply  ui.FormReply
		want   string
	}{
		"left out":     {`{"type":"object","properties":{"a":{"type":"number"}}}`, replied("-"), `{"action":"accept"}`},
		"comma":        {`{"type":"object","properties":{"a":{"type":"number"}}}`, replied("1,5"), `{"action":"accept","content":{"a":1.5}}`},
		"no fields":    {`{"type":"object","properties":{}}`, replied("yes"), `{"action":"accept"}`},
		"no":           {`{"type":"object","properties":{}}`, replied("no"), `{"action":"decline"}`},
		"declined":     {person, ui.FormReply{State: ui.Declined}, `{"action":"decline"}`},
		"withdrawn":    {person, ui.FormReply{State: ui.Withdrawn}, `{"action":"cancel"}`},
		"nobody":       {person, ui.FormReply{State: ui.Nobody}, `{"action":"decline"}`},
		"never fits":   {`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`, replied("x"), `{"action":"cancel"}`},
		"too few said": {`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, replied("x"), `{"action":"accept","content":{"a":"x"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			b := asking(t, test.schema, func(context.Context, ui.Form) ui.FormReply { return test.reply })
			want(t, b.call("fake_work", `{"zeal":"1"}`), false, "you said "+test.want)
		})
	}
}

func TestElicitationThatCantBeShown(t *testing.T) {
	b := asking(t, `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`, nil)
	b.servers.SetLimits(mcp.Limits{Ping: time.Second})
	// The SDK answers with an error, which the fake doesn't read; nobody is asked.
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	want(t, b.callIn(ctx, "fake_work", `{"zeal":"1"}`), true, "[fake_work: cancelled]")
	if len(b.host.forms) > 0 {
		t.Errorf("%+v", b.host.forms)
	}
}

// A person takes as long as a person takes: the server's silence doesn't count meanwhile.
func TestSilenceDoesntCountWhileAPersonIsAsked(t *testing.T) {
	b := newFake(t, "asks", mcp.Options{Silence: 1500 * time.Millisecond}, `MCP_SCHEMA={"type":"object","properties":{"a":{"type":"string"}}}`)
	b.host.reply = func(ctx context.Context, _ ui.Form) ui.FormReply {
		select {
		case <-ctx.Done():
			return ui.FormReply{State: ui.Withdrawn}
		case <-time.After(2500 * time.Millisecond):
			return ui.FormReply{State: ui.Replied, Answers: [][]string{{"slowly"}}}
		}
	}
	want(t, b.call("fake_work", `{"zeal":"1"}`), false, `you said {"action":"accept","content":{"a":"slowly"}}`)
}

func TestCancelWithdrawsTheQuestion(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	b := asking(t, person, func(ctx context.Context, _ ui.Form) ui.FormReply {
		defer close(over)
		cancel()
		<-ctx.Done()
		return ui.FormReply{State: ui.Withdrawn}
	})
	want(t, b.callIn(ctx, "fake_work", `{"zeal":"1"}`), true, "[fake_work: cancelled]")
	select {
	case <-over:
	default:
		t.Error("the call has ended and its question is still shown")
	}
}
