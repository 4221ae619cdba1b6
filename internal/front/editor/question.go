package editor

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// AskUser shows a form in the editor: as an elicitation where the client announced forms, else, when
// each question is a choice or a confirmation, as one permission dialog a question, whose buttons
// are the options. Else nobody can be asked (tools.fr.md, ask_user).
func (a asker) AskUser(ctx context.Context, f ui.Form) ui.FormReply {
	out := a.ses.out
	if out.client.Forms() {
		return a.elicit(ctx, f)
	}
	if a.ses.server.e.Asked() {
		// The asker would put a dialog through its gate, where yolo or its memory would answer.
		return ui.FormReply{State: ui.Nobody}
	}
	for _, q := range f.Questions {
		if q.Type != ui.Choice && q.Type != ui.Confirm {
			return ui.FormReply{State: ui.Nobody}
		}
	}
	if _, known := out.askOf(f.Call); known {
		return a.dialogs(ctx, f)
	}
	f.Call = out.beginQuestion(message(f))
	reply := a.dialogs(ctx, f)
	out.endQuestion(f.Call, reply.State)
	return reply
}

// beginQuestion announces a call for a form that belongs to none that the client knows, as the forms
// of other agents may: a dialog must never come without its call.
func (u *updates) beginQuestion(title string) (id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.own++
	id = "question-" + strconv.Itoa(u.own)
	u.send("", acp.ToolCall{ToolCallID: id, Title: title, Name: "ask_user", Kind: acp.ToolOther, Status: acp.ToolPending})
	return id
}

func (u *updates) endQuestion(id string, state ui.ReplyState) {
	status := acp.ToolFailed
	if state == ui.Replied {
		status = acp.ToolCompleted
	}
	u.update(acp.ToolCallUpdate{ToolCallID: id, Status: status})
}

// dialogs asks one question after the other.
func (a asker) dialogs(ctx context.Context, f ui.Form) ui.FormReply {
	reply := ui.FormReply{State: ui.Replied}
	for _, q := range f.Questions {
		answer, state := a.dialog(ctx, f.Call, q)
		if state != ui.Replied {
			return ui.FormReply{State: state}
		}
		reply.Answers = append(reply.Answers, []string{answer})
	}
	return reply
}

// elicit asks by elicitation/create.
func (a asker) elicit(ctx context.Context, f ui.Form) ui.FormReply {
	out := a.ses.out
	req := acp.ElicitRequest{Mode: acp.ElicitForm, SessionID: out.session, Message: message(f), RequestedSchema: &acp.ElicitationSchema{Type: "object"}}
	ask, known := out.askOf(f.Call)
	if known {
		req.ToolCallID = f.Call
	}
	if ask != "" && out.client.Subagents != nil {
		req.SessionID = ask
	}
	for i, q := range f.Questions {
		p := property(q)
		p.Key = fmt.Sprintf("q%d", i+1)
		req.RequestedSchema.Properties = append(req.RequestedSchema.Properties, p)
		req.RequestedSchema.Required = append(req.RequestedSchema.Required, p.Key)
	}
	var resp acp.ElicitResponse
	if err := out.conn.Call(ctx, acp.MethodElicit, req, &resp); err != nil {
		if ctx.Err() != nil {
			return ui.FormReply{State: ui.Withdrawn}
		}
		out.log("asking the user: %v", err)
		return ui.FormReply{State: ui.Nobody}
	}
	switch resp.Action {
	case acp.ElicitAccept:
		return answers(f, resp.Content)
	case acp.ElicitDecline:
		return ui.FormReply{State: ui.Declined}
	}
	return ui.FormReply{State: ui.Withdrawn}
}

func message(f ui.Form) string {
	if len(f.Questions) == 1 {
		return f.Questions[0].Text
	}
	return fmt.Sprintf("%d questions", len(f.Questions))
}

// property is a question as a field of a form.
func property(q ui.Question) acp.Property {
	p := acp.Property{Type: "string", Title: q.Text}
	if q.Default != "" {
		p.Default, _ = json.Marshal(q.Default) // a string always can be
	}
	switch q.Type {
	case ui.Confirm:
		p.Type, p.Default = "boolean", nil
		if q.Default != "" {
			p.Default, _ = json.Marshal(q.Default == ui.Yes)
		}
	case ui.Choice:
		p.Enum = q.Options
		p.Meta = acp.MetaOf(acp.MetaKey, acp.FieldMeta{Open: !q.Strict})
	case ui.Multi:
		one := 1
		p.Type, p.MinItems, p.Default = "array", &one, nil
		p.Items = &acp.PropertyItems{Type: "string", Enum: q.Options}
	}
	return p
}

// answers reads the values of an accepted form. One that lacks an answer that its question allows
// counts as declined.
func answers(f ui.Form, content map[string]json.RawMessage) ui.FormReply {
	reply := ui.FormReply{State: ui.Replied}
	for i, q := range f.Questions {
		a := value(q, content[fmt.Sprintf("q%d", i+1)])
		if len(a) == 0 {
			return ui.FormReply{State: ui.Declined}
		}
		reply.Answers = append(reply.Answers, a)
	}
	return reply
}

// value reads the answer to a question: nil for none, and for one that the question doesn't allow.
func value(q ui.Question, raw json.RawMessage) []string {
	var v any
	if json.Unmarshal(raw, &v) != nil || v == nil {
		if q.Default != "" {
			return []string{q.Default}
		}
		return nil
	}
	switch v := v.(type) {
	case bool:
		switch {
		case q.Type != ui.Confirm:
		case v:
			return []string{ui.Yes}
		default:
			return []string{ui.No}
		}
	case string:
		return fitting(q, []string{v})
	case float64:
		return fitting(q, []string{strings.TrimSpace(string(raw))})
	case []any:
		var list []string
		for _, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil
			}
			list = append(list, s)
		}
		if q.Type == ui.Multi {
			return fitting(q, list)
		}
	}
	return nil
}

// fitting returns the texts as the answer to a question; nil where they can't be. No client is trusted
// to have shown the options and nothing else.
func fitting(q ui.Question, texts []string) []string {
	foreign := func(s string) bool { return !slices.Contains(q.Options, s) }
	switch q.Type {
	case ui.Confirm:
		a, ok := ui.ParseConfirm(texts[0])
		if !ok {
			return nil
		}
		return []string{a}
	case ui.Multi:
		if slices.ContainsFunc(texts, foreign) {
			return nil
		}
	case ui.Choice:
		if foreign(texts[0]) && (q.Strict || strings.TrimSpace(texts[0]) == "") {
			return nil
		}
	}
	return texts
}

// declineID is the option that declines a question asked by a permission dialog.
const declineID = "decline"

// dialog asks one question by a permission dialog about a call.
func (a asker) dialog(ctx context.Context, call string, q ui.Question) (string, ui.ReplyState) {
	out := a.ses.out
	options := q.Options
	if q.Type == ui.Confirm {
		options = []string{"Yes", "No"}
	}
	req := acp.RequestPermissionRequest{SessionID: out.session, ToolCall: acp.ToolCallUpdate{
		ToolCallID: call, Title: q.Text, Name: "ask_user", Kind: acp.ToolOther, Status: acp.ToolPending,
		Content: []acp.ToolCallContent{acp.ToolText(q.Text)},
	}}
	for n, o := range options {
		req.Options = append(req.Options, acp.PermissionOption{OptionID: fmt.Sprintf("option-%d", n+1), Name: o, Kind: acp.AllowOnce})
	}
	req.Options = append(req.Options, acp.PermissionOption{OptionID: declineID, Name: "Decline", Kind: acp.RejectOnce})
	var resp acp.RequestPermissionResponse
	if err := out.conn.Call(ctx, acp.MethodRequestPermission, req, &resp); err != nil {
		if ctx.Err() != nil {
			return "", ui.Withdrawn
		}
		return "", ui.Nobody
	}
	for n, o := range options {
		if resp.Outcome.Outcome == acp.OutcomeSelected && resp.Outcome.OptionID == fmt.Sprintf("option-%d", n+1) {
			if q.Type == ui.Confirm {
				o = strings.ToLower(o)
			}
			return o, ui.Replied
		}
	}
	if resp.Outcome.Outcome == acp.OutcomeCancelled {
		return "", ui.Withdrawn
	}
	return "", ui.Declined
}
