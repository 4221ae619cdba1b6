//go:build linux

package faults

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/mmtest"
)

// A problem is one that ACP agents and clients in the field had, under its number and subject. mm is
// held to do better as an agent, as a client of other agents, or both.
type problem struct {
	name, says    string
	agent, client func(p *solved)
}

func problems() []problem {
	return []problem{
		{"01-stdout-noise", "what is printed beside the protocol doesn't reach stdout; a child's noise is skipped", (*solved).noiseAsAgent, (*solved).noiseAsClient},
		{"02-response-overtakes", "a turn's response comes after its last update", (*solved).orderAsAgent, (*solved).orderAsClient},
		{"03-late-updates", "no update of a turn after its response; a child's are borne", (*solved).lateAsAgent, (*solved).lateAsClient},
		{"04-early-updates", "no update of a session before the answer that names it; a child's are kept", (*solved).earlyAsAgent, (*solved).earlyAsClient},
		{"05-subagent-request", "a grandchild's question reaches the person, or is refused", (*solved).grandchildAsAgent, nil},
		{"06-progress-while-pending", "a call that waits for an answer stays pending; a child's question outlives what it says of the call", (*solved).pendingAsAgent, (*solved).pendingAsClient},
		{"07-request-without-call", "a call is announced before it is asked about; a child's is made known from its question", (*solved).unannouncedAsAgent, (*solved).unannouncedAsClient},
		{"08-bare-request", "a question repeats kind, command and diff; a child's is completed by what is known", (*solved).payloadAsAgent, (*solved).payloadAsClient},
		{"09-cancel-or-end", "a cancelled turn ends with cancelled, and no other does", (*solved).reasonsAsAgent, (*solved).reasonsAsClient},
		{"10-waiting-blocks", "a question that waits blocks nothing else, and a cancel frees its session", (*solved).waitingAsAgent, (*solved).waitingAsClient},
		{"11-second-prompt", "a second prompt isn't lost: the first is cancelled, then it runs", (*solved).secondAsAgent, nil},
		{"12-long-lines", "long lines are read, too long ones refused, own ones short", (*solved).longAsAgent, (*solved).longAsClient},
		{"13-outliving", "nothing below outlives the end of the editor, or of its session", (*solved).outlivedAsAgent, (*solved).outlivedAsClient},
		{"14-missing-file", "a missing file is told by its code, and can be made; other errors are errors", (*solved).missingAsAgent, (*solved).missingAsClient},
		{"15-full-pipe", "a client that doesn't read freezes nothing for good; a child's stderr is drained", (*solved).fullAsAgent, (*solved).fullAsClient},
	}
}

// TestFieldProblems runs them all:
//
//	go test -run TestFieldProblems -v ./internal/faults
func TestFieldProblems(t *testing.T) {
	for _, p := range problems() {
		t.Run(p.name, func(t *testing.T) {
			for side, test := range map[string]func(*solved){"agent": p.agent, "client": p.client} {
				if test != nil {
					t.Run(side, func(t *testing.T) {
						t.Parallel()
						ctx, cancel := context.WithTimeout(t.Context(), mmtest.Patience)
						defer cancel()
						test(&solved{T: t, ctx: ctx})
					})
				}
			}
		})
	}
}

// solved is the test of one side of a problem.
type solved struct {
	*testing.T
	ctx context.Context // ends when what must come doesn't
	h   *house
}

// Context is for what is waited for.
func (p *solved) Context() context.Context { return p.ctx }

const problemScript = `
- when: {user: "^say (.*)"}
  reply: [{thought: "hm"}, {text: "$1"}]
- when: {user: "^wait"}
  reply: [{text: begun}, {delay: 300s}, {text: never}]
- when: {user: "^run (.*)"}
  reply: [{text: "running. "}, {call: {name: bash, arguments: {command: "$1"}}}]
- when: {user: "^make"}
  reply: [{call: {name: write_file, arguments: {path: made.txt, content: "one\n"}}}]
- when: {user: "^change"}
  reply: [{call: {name: edit_file, arguments: {path: old.txt, edits: [{old: before, new: after}]}}}]
- when: {user: "^let (jan|homer) (.*)"}
  reply: [{call: {name: ask_agent, arguments: {agent: $1, prompt: "$2"}}}]
- when: {tool: "(?s)(.*)"}
  reply: "read: $1"
`

// agent starts mm with an editor: an agent that asks before it acts, with agents below it.
func (p *solved) agent(o acptest.Options) (*acptest.Editor, string) {
	p.Helper()
	file := "provider: scripted\nscript: s.yaml\neditTools: true\n"
	p.h = newHouse(p, racedMM(p), map[string]string{
		"mm.yaml": file + "yolo: false\nmmConfigs: {jan: jan.yaml}\n", "jan.yaml": file + "mmConfigs: {homer: homer.yaml}\n", "homer.yaml": file,
		"s.yaml": problemScript, "old.txt": "before\n",
	})
	return p.edit(o)
}

// client starts mm with an editor and a misbehaving agent below it, asked by "/ask-fake TRICKS".
func (p *solved) client(wrong string, o acptest.Options) (*acptest.Editor, string) {
	p.Helper()
	p.h = newHouse(p, racedMM(p), withFake(p, wrong, "yolo: false"))
	return p.edit(o)
}

func (p *solved) edit(o acptest.Options) (*acptest.Editor, string) {
	p.Helper()
	e := acptest.Start(p, p.h.command("-acp", "--log", p.h.path("log")), o)
	e.Initialize(p.ctx)
	return e, e.NewSession(p.ctx, p.h.dir).SessionID
}

// turn prompts and returns a turn that ended well.
func (p *solved) turn(e *acptest.Editor, session, text string) acptest.Turn {
	p.Helper()
	t, err := e.Prompt(p.ctx, session, text)
	if err != nil || t.StopReason != acp.StopEndTurn {
		p.Errorf("%s: ended with %q, %v", text, t.StopReason, err)
	}
	return t
}

// says prompts and compares the answer.
func (p *solved) says(e *acptest.Editor, session, text, want string) {
	p.Helper()
	if got := p.turn(e, session, text).Text; got != want {
		p.Errorf("%s: %q, want %q", text, mmtest.Clip(got), want)
	}
}

// outcomeOf is how a prompt that ran beside the test has ended.
type outcomeOf struct {
	turn acptest.Turn
	err  error
}

// start prompts beside the test.
func (p *solved) start(e *acptest.Editor, session, text string) <-chan outcomeOf {
	done := make(chan outcomeOf, 1)
	go func() {
		t, err := e.Prompt(p.ctx, session, text)
		done <- outcomeOf{t, err}
	}()
	return done
}

// cancelled waits for a prompt that must have been cancelled.
func (p *solved) cancelled(done <-chan outcomeOf) {
	p.Helper()
	if o := <-done; o.err != nil || o.turn.StopReason != acp.StopCancelled {
		p.Errorf("ended with %q, %v, want cancelled", o.turn.StopReason, o.err)
	}
}

// begin prompts beside the test and waits until the agent has said something.
func (p *solved) begin(e *acptest.Editor, session, text string) <-chan outcomeOf {
	said := func() (n int) {
		for _, u := range e.Updates(session) {
			if u.Kind == acp.UpdateAgentMessage {
				n++
			}
		}
		return n
	}
	before := said()
	done := p.start(e, session, text)
	seen := 0
	e.WaitUpdate(p.ctx, func(u acp.SessionUpdate) bool {
		if u.SessionID == session && u.Kind == acp.UpdateAgentMessage {
			seen++
		}
		return seen > before
	})
	return done
}

// until is a permission that waits until it is closed, or its request has ended.
func until(open <-chan struct{}, kind acp.OptionKind) func(context.Context, acp.RequestPermissionRequest) acp.RequestPermissionResponse {
	return func(ctx context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		select {
		case <-open:
			return acptest.Choose(r, kind)
		case <-ctx.Done():
			return acp.PermissionCancelled()
		}
	}
}

// lines are the agent's frames that hold all the words, in order.
func lines(e *acptest.Editor, words ...string) (found []int) {
	for i, f := range e.Checker.Frames() {
		all := f.FromAgent
		for _, w := range words {
			all = all && strings.Contains(f.Data, w)
		}
		if all {
			found = append(found, i)
		}
	}
	return found
}

// TestFieldProblemsPage: the page lists the problems as they are tested.
func TestFieldProblemsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/explanation/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems() {
		if row := fmt.Sprintf("| `%s` | %s |\n", p.name, p.says); !strings.Contains(string(page), row) {
			t.Errorf("the page lacks the row %s", row)
		}
	}
}
