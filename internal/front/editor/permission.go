package editor

import (
	"context"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// asker asks the client for permission.
type asker struct{ ses *open }

// AskPermission sends session/request_permission with the whole call, since clients draw only what
// is in the request, and judges the answer by the option's id. The client gets to know when the
// question is withdrawn ($/cancel_request).
func (a asker) AskPermission(ctx context.Context, q *consent.Question) (consent.Reply, error) {
	out := a.ses.out
	ask, _ := out.askOf(q.ID)
	meta := acp.PermissionMeta{Tool: q.Tool, Key: q.Key()}
	if n, of := q.Place(); of > 1 {
		meta.Place, meta.Of = n, of
	}
	req := acp.RequestPermissionRequest{
		SessionID: out.session,
		ToolCall:  out.toolCall(ui.ToolCall{Call: q.Call, Status: ui.Pending}),
		Meta:      acp.MetaOf(acp.MetaKey, meta),
	}
	if ask != "" && out.client.Subagents != nil {
		req.SessionID = ask
	}
	if q.Kind == consent.KindExecute {
		req.ToolCall.Content = append(req.ToolCall.Content, acp.ToolText("$ "+out.clean(q.Title)))
	}
	for _, c := range consent.Choices() {
		req.Options = append(req.Options, acp.PermissionOption{OptionID: c.ID, Name: c.Label, Kind: acp.OptionKind(c.ID)})
	}
	var resp acp.RequestPermissionResponse
	if err := out.conn.Call(ctx, acp.MethodRequestPermission, req, &resp); err != nil {
		if ctx.Err() != nil {
			return consent.Reply{Cancelled: true}, nil
		}
		out.log("asking for permission: %v", err)
		return consent.Reply{Answer: consent.RejectOnce}, nil // an error reply counts as rejected
	}
	return reply(resp), nil
}

// reply reads the client's answer. "cancelled" without a session/cancel refuses the call and the
// turn goes on (supplement 16); an unknown option rejects.
func reply(resp acp.RequestPermissionResponse) consent.Reply {
	var m acp.RejectionMeta
	if resp.Meta.Get(acp.MetaKey, &m) && m.Reason != "" {
		return consent.Reply{Denied: strings.TrimPrefix(m.Reason, "denied by a hook: ")}
	}
	if resp.Outcome.Outcome == acp.OutcomeSelected {
		for _, c := range consent.Choices() {
			if c.ID == resp.Outcome.OptionID {
				return consent.Reply{Answer: c.Answer}
			}
		}
	}
	return consent.Reply{Answer: consent.RejectOnce}
}
