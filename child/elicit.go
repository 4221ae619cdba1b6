package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// elicitation is a form of the agent that waits for its answer.
type elicitation struct {
	ctx   context.Context
	req   acp.ElicitRequest
	reply chan elicited
	taken bool // an ask has it
}

type elicited struct {
	resp acp.ElicitResponse
	err  error
}

// errNobody tells the agent that nobody can be asked: as if forms had not been offered.
var errNobody = acp.NewError(acp.CodeMethodNotFound, "the user cannot be asked in this mode", nil)

// read reads the params of elicitation/create; the question goes to the asker's user.
func (e *elicitation) read(params json.RawMessage) error {
	if err := acp.DecodeParams(params, &e.req); err != nil {
		return err
	}
	if e.req.Mode != acp.ElicitForm || e.req.RequestedSchema == nil {
		return acp.InvalidParams("only forms were offered")
	}
	return nil
}

// wait waits for the answer.
func (e *elicitation) wait() (any, error) {
	if !e.taken {
		return acp.ElicitResponse{Action: acp.ElicitCancel}, nil
	}
	select {
	case r := <-e.reply:
		return r.resp, r.err
	case <-e.ctx.Done():
		return acp.ElicitResponse{Action: acp.ElicitCancel}, nil
	}
}

// question shows a form to the asker's user, beside the work. Questions are prefixed with the
// agent's name, at each level they pass.
func (a *ask) question(e *elicitation) {
	form := ui.Form{Agent: a.agent(e.req.SessionID), Questions: formQuestions(e.req, a.c.cmd.Name+" asks: ")}
	if e.req.ToolCallID != "" {
		form.Call = a.key(e.req.SessionID, e.req.ToolCallID)
	}
	a.work.Go(func() {
		ctx, done := a.whileAsked(e.ctx)
		defer done()
		reply := a.host.AskUser(ctx, form)
		switch reply.State {
		case ui.Replied:
			content, err := formContent(e.req.RequestedSchema.Properties, reply.Answers)
			if err != nil {
				e.reply <- elicited{err: acp.Internal("%v", err)}
				return
			}
			e.reply <- elicited{resp: acp.ElicitResponse{Action: acp.ElicitAccept, Content: content}}
		case ui.Declined:
			e.reply <- elicited{resp: acp.ElicitResponse{Action: acp.ElicitDecline}}
		case ui.Withdrawn:
			a.afterTold(e.ctx)
			e.reply <- elicited{resp: acp.ElicitResponse{Action: acp.ElicitCancel}}
		default:
			e.reply <- elicited{err: errNobody}
		}
	})
}

// formQuestions makes questions of an elicitation's fields.
func formQuestions(req acp.ElicitRequest, prefix string) []ui.Question {
	var list []ui.Question
	props := req.RequestedSchema.Properties
	for _, p := range props {
		q := ui.Question{Text: p.Title, Type: ui.Free, Default: plainDefault(p.Default)}
		switch {
		case p.Type == "boolean":
			q.Type = ui.Confirm
			q.Default, _ = ui.ParseConfirm(q.Default)
		case p.Type == "array" && p.Items != nil:
			q.Type, q.Options, q.Default = ui.Multi, titles(p.Items.Enum, p.Items.AnyOf), ""
		case len(p.Enum) > 0 || len(p.OneOf) > 0:
			q.Type, q.Options = ui.Choice, titles(p.Enum, p.OneOf)
			q.Strict = !ownAnswers(p.Meta)
		}
		if q.Text == "" {
			q.Text = p.Key
		}
		// A message that isn't the question itself says what it is about.
		if len(props) == 1 && !strings.Contains(req.Message, q.Text) && req.Message != "" {
			q.Text = req.Message + " — " + q.Text
		}
		q.Text = prefix + q.Text
		list = append(list, q)
	}
	return list
}

// ownAnswers reports whether a choice may be answered in one's own words: mm's agents say so.
func ownAnswers(m acp.Meta) bool {
	var f acp.FieldMeta
	return m.Get(acp.MetaKey, &f) && f.Open
}

func titles(plain []string, titled []acp.EnumOption) []string {
	if len(titled) == 0 {
		return plain
	}
	out := make([]string, len(titled))
	for i, o := range titled {
		out[i] = o.Title
	}
	return out
}

func plainDefault(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.Trim(string(raw), `"`)
}

// formContent makes an elicitation's values of the answers.
func formContent(props acp.Properties, answers [][]string) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for i, p := range props {
		if i >= len(answers) || len(answers[i]) == 0 {
			continue
		}
		v, err := formValue(p, answers[i])
		if err != nil {
			return nil, err
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		out[p.Key] = raw
	}
	return out, nil
}

func formValue(p acp.Property, answer []string) (any, error) {
	switch p.Type {
	case "boolean":
		return answer[0] == ui.Yes, nil
	case "number", "integer":
		f, err := strconv.ParseFloat(strings.TrimSpace(answer[0]), 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", answer[0])
		}
		return f, nil
	case "array":
		if p.Items == nil {
			return nil, errors.New("a list without items")
		}
		return values(answer, p.Items.AnyOf), nil
	}
	return values(answer[:1], p.OneOf)[0], nil
}

// values maps titles back to the values they stand for.
func values(chosen []string, titled []acp.EnumOption) []string {
	out := make([]string, len(chosen))
	for i, c := range chosen {
		out[i] = c
		for _, o := range titled {
			if o.Title == c {
				out[i] = o.Const
			}
		}
	}
	return out
}
