package turn

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
)

// Structure is the form that a final answer must have (structuredOutput).
type Structure struct {
	Format llm.Format
	// Check returns what is wrong with an answer, nil when it fits.
	Check func(answer string) error
}

// structured checks the final answer. The first one that doesn't fit is sent back once, with what is
// wrong; it reports false then. What fits becomes the answer, and only that is shown.
func (r *running) structured(reply *llm.Reply) (ok bool, failed *Outcome) {
	s := r.o.Structure
	if s == nil {
		return true, nil
	}
	answer := bareJSON(reply.Message.Content)
	err := s.Check(answer)
	if err == nil {
		reply.Message.Content = answer
		r.all = append(r.all[:r.last], answer...)
		r.emit(ui.Text{Message: fmt.Sprintf("m%d", r.messages), Text: answer})
		return true, nil
	}
	if r.corrected {
		out := r.fail(InGeneration, BadStructure, fmt.Sprintf("[error: the answer is not valid %s: %v]", s.Format.Name, oneLine(err)))
		out.Answer = ""
		return false, &out
	}
	r.corrected = true
	r.append(reply.Message, llm.Message{Role: llm.RoleUser, Content: fmt.Sprintf(
		"[your answer is not valid %s: %v]\nAnswer again with only the corrected JSON, nothing else.", s.Format.Name, oneLine(err))})
	return false, nil
}

// oneLine joins the lines of an error.
func oneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " "))
}

// bareJSON takes an answer out of a code fence, which models put around JSON whatever they are told.
func bareJSON(s string) string {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "```") || !strings.HasSuffix(s, "```") || len(s) < 6 {
		return s
	}
	body := strings.TrimSuffix(s, "```")
	if i := strings.IndexByte(body, '\n'); i >= 0 {
		return strings.TrimSpace(body[i+1:])
	}
	return s
}

// format is what the next request asks for. Beside tools it isn't sent before the corrective
// request: servers refuse a grammar next to tools (llama.cpp), or let it forbid calls.
func (r *running) format() *llm.Format {
	if r.o.Structure == nil || len(r.declared) > 0 && !r.corrected {
		return nil
	}
	return &r.o.Structure.Format
}
