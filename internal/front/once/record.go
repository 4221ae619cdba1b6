package once

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// report is the object of --output json. Fields are only ever added (supplement 2 and 16).
type report struct {
	Agent      string          `json:"agent"`
	Answer     string          `json:"answer"`
	StopReason string          `json:"stop_reason"`
	ToolCalls  []toolCall      `json:"tool_calls"`
	Files      []ui.FileChange `json:"files"`
	Refused    []refusal       `json:"refused"`
	Usage      usage           `json:"usage"`
	Duration   int64           `json:"duration_ms"`
	Session    string          `json:"session"`
	Errors     []fault         `json:"errors"`
}

type toolCall struct {
	Agent  string `json:"agent"`
	Tool   string `json:"tool"`
	Title  string `json:"title"`
	Status string `json:"status"` // completed, failed or refused
	Exit   *int   `json:"exit_code"`
}

type refusal struct {
	Key    string `json:"key"`
	Title  string `json:"title"`
	Reason string `json:"reason"`
}

type usage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
	Cached int `json:"cached_tokens"`
}

type fault struct {
	Where   string `json:"where"`
	Message string `json:"message"`
}

// event is one line of --output events. Fields are only ever added.
type event struct {
	Type    string `json:"type"`
	Time    string `json:"time"`
	Agent   string `json:"agent"`
	Session string `json:"session,omitempty"`
	Text    string `json:"text,omitempty"`
	ID      string `json:"id,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Title   string `json:"title,omitempty"`
	Key     string `json:"key,omitempty"`
	Status  string `json:"status,omitempty"`
	Exit    *int   `json:"exit_code,omitempty"`
	// Decision and By tell who decided about a call.
	Decision string  `json:"decision,omitempty"`
	By       string  `json:"by,omitempty"`
	Reason   string  `json:"reason,omitempty"`
	Level    string  `json:"level,omitempty"`
	Usage    *usage  `json:"usage,omitempty"`
	Where    string  `json:"where,omitempty"`
	Message  string  `json:"message,omitempty"`
	Report   *report `json:"report,omitempty"`
}

// recorder keeps what mm itself saw, at every level, and writes events and progress as they happen.
type recorder struct {
	o     Options
	start time.Time

	mu      sync.Mutex
	rep     report         // guarded by mu
	calls   map[string]int // index in rep.ToolCalls by call id
	usages  map[string]usage
	refuses map[string]string // call id -> reason
	failed  error             // writing to stdout
	told    map[string]bool   // lines that stderr has had
}

func newRecorder(o Options) *recorder {
	return &recorder{o: o, start: o.Now(), calls: map[string]int{}, usages: map[string]usage{}, refuses: map[string]string{}, told: map[string]bool{},
		rep: report{Agent: o.Agent, ToolCalls: []toolCall{}, Files: []ui.FileChange{}, Refused: []refusal{}, Errors: []fault{}}}
}

func (r *recorder) begin(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rep.Session = session
	r.event(event{Type: "start", Session: session, Title: r.o.Agent, Text: r.o.Prompt})
}

// event writes a line of --output events.
func (r *recorder) event(e event) {
	if r.o.Output != "events" {
		return
	}
	e.Time = r.o.Now().UTC().Format(time.RFC3339Nano)
	r.write(append(encode(e), '\n'))
}

// write writes to stdout and keeps the first failure: an answer that wasn't delivered is none.
func (r *recorder) write(b []byte) {
	if _, err := r.o.Stdout.Write(b); err != nil && r.failed == nil {
		r.failed = err
	}
}

func (r *recorder) progress(format string, args ...any) {
	if r.o.Progress {
		fmt.Fprintln(r.o.Stderr, ui.CleanLine(fmt.Sprintf(format, args...)))
	}
}

func (r *recorder) notice(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event(event{Type: "notice", Level: string(ui.Warning), Text: text})
}

// Record takes every decision of the gate (consent.Auditor).
func (r *recorder) Record(q consent.Request, d consent.Decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event(event{Type: "decision", Agent: q.Agent, ID: q.ID, Tool: q.Tool, Title: q.Title, Key: q.Key(), Decision: d.Word(), By: string(d.By), Reason: d.Reason})
	if d.Allow || d.Cancelled {
		return
	}
	why := "rejected by the user"
	switch d.By {
	case consent.ByUnattended:
		why = "nobody can be asked"
	case consent.ByAgent:
		why = d.Reason
	case consent.ByHook:
		why = "denied by a hook: " + d.Reason
	}
	r.refuses[q.ID] = why
	r.rep.Refused = append(r.rep.Refused, refusal{q.Key(), q.Title, why})
}

// Emit takes what happens (ui.Sink).
func (r *recorder) Emit(e ui.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e := e.(type) {
	case ui.Text:
		r.event(event{Type: "text", Agent: e.Agent, Text: e.Text})
	case ui.Thought:
		r.event(event{Type: "thought", Agent: e.Agent, Text: e.Text})
	case ui.ToolCall:
		r.call(e)
	case ui.AskStarted:
		r.event(event{Type: "ask", Agent: e.Agent, ID: e.Call, Text: e.Prompt})
		r.progress("🗣 ask_agent: %s — %s", e.Agent, strings.SplitN(strings.TrimSpace(e.Prompt), "\n", 2)[0])
	case ui.AskEnded:
		r.event(event{Type: "answer", Agent: e.Agent, ID: e.Call, Text: e.Answer, Reason: e.Reason})
	case ui.Notice:
		r.event(event{Type: "notice", Agent: e.Agent, Level: string(e.Level), Text: e.Text})
		r.say(e)
	case ui.Usage:
		if e.Input+e.Output == 0 {
			return // nothing was counted
		}
		u := usage{e.Input, e.Output, e.Cached}
		r.usages[e.Agent+" "+e.Ask] = u
		r.event(event{Type: "usage", Agent: e.Agent, Usage: &u})
	}
}

// say says a notice on stderr: warnings always, each once, other lines where progress is shown.
func (r *recorder) say(e ui.Notice) {
	if e.Level == ui.Info {
		r.progress("%s", e.Text)
		return
	}
	if !r.told[e.Text] {
		r.told[e.Text] = true
		fmt.Fprintln(r.o.Stderr, ui.CleanLine(e.Text))
	}
}

func (r *recorder) call(e ui.ToolCall) {
	i, known := r.calls[e.ID]
	if !known {
		i = len(r.rep.ToolCalls)
		r.calls[e.ID] = i
		r.rep.ToolCalls = append(r.rep.ToolCalls, toolCall{Agent: e.Agent, Tool: e.Tool})
		r.event(event{Type: "tool_call", Agent: e.Agent, ID: e.ID, Tool: e.Tool, Title: e.Title, Key: e.Key()})
		r.progress("‣ %s: %s", strings.ReplaceAll(e.Key(), "/", " · "), e.Title)
	}
	c := &r.rep.ToolCalls[i]
	c.Title, c.Status, c.Exit = e.Title, string(e.Status), e.ExitCode
	if !e.Done() {
		return
	}
	if why := r.refuses[e.ID]; why != "" {
		e.Refused = why
	} else if e.Refused != "" && e.Refused != "cancelled" {
		// An asked agent's own hook refused it, without asking the gate here.
		r.rep.Refused = append(r.rep.Refused, refusal{e.Key(), e.Title, e.Refused})
	}
	if e.Refused != "" {
		c.Status = "refused"
	}
	r.rep.Files = append(r.rep.Files, e.Files...)
	r.event(event{Type: "tool_result", Agent: e.Agent, ID: e.ID, Tool: e.Tool, Title: e.Title, Key: e.Key(), Status: c.Status, Exit: e.ExitCode, Text: e.Output, Reason: e.Refused})
}

// finish writes the answer and returns the exit status.
func (r *recorder) finish(res result) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	status := res.exit(len(r.rep.Refused), r.o.Strict)
	why := res.reason(r.o)
	r.rep.Answer, r.rep.StopReason = res.answer.Text, res.stop()
	r.rep.Duration = r.o.Now().Sub(r.start).Milliseconds()
	for _, u := range r.usages {
		r.rep.Usage.Input += u.Input
		r.rep.Usage.Output += u.Output
		r.rep.Usage.Cached += u.Cached
	}
	if why != "" {
		f := fault{Where: "generation", Message: why}
		switch {
		case res.timedOut:
			f.Where = "watchdog"
		case res.out.Failure != nil:
			f.Where = string(res.out.Failure.Where)
		}
		r.rep.Errors = append(r.rep.Errors, f)
		r.event(event{Type: "error", Where: f.Where, Message: why})
		fmt.Fprintln(r.o.Stderr, ui.Clean(why))
	}
	switch r.o.Output {
	case "json":
		r.write(append(encode(r.rep), '\n'))
	case "events":
		rep := r.rep
		r.event(event{Type: "end", Reason: rep.StopReason, Report: &rep})
	default:
		text := res.answer.Text
		if r.o.Shown {
			text = ui.Clean(text)
		}
		if text != "" {
			if r.o.Terminal {
				text = ui.Clean(text)
			}
			r.write([]byte(strings.TrimRight(text, "\n") + "\n"))
		}
	}
	if r.failed != nil {
		fmt.Fprintf(r.o.Stderr, "mm: writing the answer to stdout: %v\n", r.failed)
		return max(status, ExitFailed)
	}
	return status
}
