package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mini-me/mm/internal/clip"
	"github.com/mini-me/mm/internal/ui"
)

const (
	// maxForms is how many forms a server may show during one call, maxFields how many questions one
	// form has.
	maxForms  = 20
	maxFields = 30
	// maxAsked is how many characters of a server's text are shown in a question.
	maxAsked = 1000
	// maxRounds is how often answers that don't fit are asked for again.
	maxRounds = 5
	// none is what a person types to leave out what may be left out.
	none = "-"
)

// elicit answers elicitation/create: the server asks the person of the call under way. With no
// such call, or several that could be meant, it is declined.
func (c *conn) elicit(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	declined := &sdk.ElicitResult{Action: "decline"}
	k, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		k = c.only()
	}
	fields, ok := fieldsOf(r.Params.RequestedSchema)
	if k == nil || !ok || r.Params.Mode == "url" {
		return declined, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(k.ctx, cancel)()
	release, ok := k.ask(ctx)
	if !ok {
		return declined, nil
	}
	defer release()
	message := c.server.Name + " asks: " + clip.To(strings.TrimSpace(r.Params.Message), maxAsked)
	return k.show(ctx, message, fields), nil
}

// show asks the questions, again those whose answers don't fit.
func (k *call) show(ctx context.Context, message string, fields []field) *sdk.ElicitResult {
	if len(fields) == 0 { // nothing but a yes or no to the message
		fields = []field{{kind: confirmation}}
	}
	content := map[string]any{}
	for range maxRounds {
		reply := k.host.AskUser(ctx, k.form(message, fields))
		switch {
		case ctx.Err() != nil || reply.State == ui.Withdrawn:
			return &sdk.ElicitResult{Action: "cancel"}
		case reply.State != ui.Replied || fill(content, &fields, reply.Answers):
			return &sdk.ElicitResult{Action: "decline"}
		case len(fields) == 0:
			return &sdk.ElicitResult{Action: "accept", Content: content}
		}
	}
	return &sdk.ElicitResult{Action: "cancel"}
}

func (k *call) form(message string, fields []field) ui.Form {
	f := ui.Form{Call: k.id}
	for i, one := range fields {
		f.Questions = append(f.Questions, one.question(message, i == 0))
	}
	return f
}

// fill puts the answers into content and leaves the fields whose answers don't fit. It reports
// whether the person said no to a form without fields.
func fill(content map[string]any, fields *[]field, answers [][]string) (no bool) {
	var again []field
	for i, f := range *fields {
		var answer []string
		if i < len(answers) {
			answer = answers[i]
		}
		value, wrong := f.value(answer)
		switch {
		case wrong != "":
			f.wrong = wrong
			again = append(again, f)
		case f.kind == confirmation:
			no = value == false
		case value != nil:
			content[f.name] = value
		}
	}
	*fields = again
	return no
}
