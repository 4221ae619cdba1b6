package editor

import (
	"encoding/json"
	"strings"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// toolCall is a call as ACP has it. Where there are no sub-agent sessions its title begins with the
// agent's name; and for a person, who may be shown no more of it than that, with the tool's, unless the
// kind says what the title is about.
func (u *updates) toolCall(e ui.ToolCall) acp.ToolCallUpdate {
	t := acp.ToolCallUpdate{
		ToolCallID: e.ID, Title: e.Title, Name: e.Tool, Kind: acp.ToolKind(e.Kind), Status: acp.ToolStatus(e.Status), RawInput: e.Input,
	}
	if u.person {
		t.Title = ui.Clean(e.Named())
	}
	if u.client.Subagents == nil && e.Agent != "" {
		t.Title = strings.ReplaceAll(e.Agent, "/", " · ") + " · " + t.Title
	}
	for _, l := range e.Locations {
		t.Locations = append(t.Locations, acp.ToolCallLocation{Path: l.Path, Line: l.Line})
	}
	for _, d := range e.Diffs {
		t.Content = append(t.Content, diffContent(d))
	}
	if e.Done() {
		if e.Output != "" {
			t.Content = append(t.Content, acp.ToolText(e.Output))
		}
		t.RawOutput, t.Meta = rawOutput(e), callMeta(e)
	}
	return t
}

// clean makes visible in a title what could hide what is being allowed (supplement 5), where a person reads it:
// an asker's front end does so itself.
func (u *updates) clean(title string) string {
	if !u.person {
		return title
	}
	return ui.Clean(title)
}

// rawOutput is what the model reads of a call, and a command's exit status.
func rawOutput(e ui.ToolCall) json.RawMessage {
	if e.RawOutput != nil {
		return e.RawOutput
	}
	if e.Result == "" {
		return nil
	}
	b, err := json.Marshal(struct {
		Text     string `json:"text"`
		ExitCode *int   `json:"exitCode,omitempty"`
	}{e.Result, e.ExitCode})
	if err != nil {
		return nil
	}
	return b
}

func callMeta(e ui.ToolCall) acp.Meta {
	m := acp.CallMeta{Refused: e.Refused, ExitCode: e.ExitCode}
	for _, f := range e.Files {
		m.Files = append(m.Files, acp.FileChange(f))
	}
	if m.Refused == "" && m.ExitCode == nil && m.Files == nil {
		return nil
	}
	return acp.MetaOf(acp.MetaKey, m)
}
