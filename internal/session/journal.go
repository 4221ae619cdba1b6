package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
)

// entry is a line of a journal: one change that the file may not have yet. Each has the number that
// Info.Saved counts, so that a journal which is older than its file does no harm.
type entry struct {
	Seq int64 `json:"seq"`
	// Messages were added. What Pending and Results said is in them.
	Messages []Message `json:"messages,omitempty"`
	// Pending is an assistant's message whose calls run, Result what one of them returned.
	Pending *Message `json:"pending,omitempty"`
	Result  *Message `json:"result,omitempty"`
	// Call is how a call of the pending message was shown: with its Result, or before it runs.
	Call *Call `json:"call,omitempty"`
	// Replace is a whole conversation in the place of the one before (a compaction, /new).
	Replace  *[]Message `json:"replace,omitempty"`
	Task     *string    `json:"task,omitempty"`
	Plan     *Plan      `json:"plan,omitempty"`
	PlanGone bool       `json:"plan_gone,omitempty"`
	Fault    *Fault     `json:"error,omitempty"`
}

// step is an assistant's message whose calls run, and what they have returned so far.
type step struct {
	message *Message
	results []Message
	from    int64 // the number of its first entry
}

// The texts that stand for what a killed mm could not say any more.
const (
	neverEnded  = "[mm was ended before this call returned]"
	interrupted = "[mm was ended before it answered]"
)

// apply makes the change of one entry.
func (f *File) apply(e *entry, s *step) {
	switch {
	case e.Replace != nil:
		f.Messages, *s = *e.Replace, step{}
	case e.Pending != nil:
		*s = step{message: e.Pending, from: e.Seq}
	case e.Result != nil:
		s.results = append(s.results, *e.Result)
	case len(e.Messages) > 0:
		f.Messages, *s = append(f.Messages, e.Messages...), step{}
	}
	if e.Call != nil && s.message != nil {
		s.shown(*e.Call)
	}
	if e.Task != nil {
		f.Task = *e.Task
	}
	if e.Plan != nil || e.PlanGone {
		f.Plan = e.Plan
	}
	if e.Fault != nil {
		f.Errors = append(f.Errors, *e.Fault)
	}
}

// shown notes how a call was shown.
func (s *step) shown(c Call) {
	for i := range s.message.Calls {
		if s.message.Calls[i].ID == c.ID {
			s.message.Calls[i] = c
		}
	}
}

// settle makes a conversation whole that ended in the middle of a turn: each call has its result,
// and the turn closes with an assistant's message. It reports whether there was anything to do.
func (f *File) settle(s step) bool {
	n := len(f.Messages)
	if s.message != nil {
		f.Messages = append(f.Messages, *s.message)
		for i := range s.message.Calls {
			c := &s.message.Calls[i]
			m, ended := s.result(c.ID)
			c.Failed = c.Failed || !ended
			f.Messages = append(f.Messages, m)
		}
	}
	if n := len(f.Messages); n > 0 && f.Messages[n-1].Role != "assistant" {
		f.Messages = append(f.Messages, Message{Role: "assistant", Content: interrupted})
	}
	return len(f.Messages) > n
}

// result is what a call returned, and whether it did.
func (s *step) result(call string) (m Message, ended bool) {
	for _, m := range s.results {
		if m.CallID == call {
			return m, true
		}
	}
	return Message{Role: "tool", CallID: call, Content: neverEnded}, false
}

// replay adds to a file what its journal has beyond it, and returns the step that had begun. The
// last line may be cut: mm was killed while it wrote, and what it says was never complete. Nothing
// behind a line that can't be read counts. whole is false when lines are missing between the two:
// the file is older than the journal, since both were read while they were written.
func (f *File) replay(journal []byte) (s step, whole bool) {
	for line := range bytes.Lines(journal) {
		var e entry
		if !bytes.HasSuffix(line, []byte("\n")) || json.Unmarshal(line, &e) != nil {
			break
		}
		if e.Seq > f.Saved+1 {
			return s, false
		}
		if e.Seq > f.Saved {
			f.apply(&e, &s)
			f.Saved = e.Seq
		}
	}
	return s, true
}

// readJournal reads a journal; there is none for most sessions.
func readJournal(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
