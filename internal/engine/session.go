package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/session"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/mcp"
)

// SessionOptions are what a front end brings to a session.
type SessionOptions struct {
	// ID is that of a session that was begun and closed with nothing to keep, for NewSession; "" is a new
	// one.
	ID   string
	Cwd  string // absolute
	Sink ui.Sink
	// Asker shows permission questions; nil when nobody can be asked.
	Asker consent.Asker
	// Questioner shows the forms of ask_user; nil when nobody can be asked.
	Questioner ui.Questioner
	// Dirs are further folders that belong to the work, absolute.
	Dirs []string
	// Files is where the file tools read and write; nil is the disk.
	Files ui.FileSystem
	// Unattended is told once that calls are refused because Asker is nil.
	Unattended func()
	// Audit also gets every decision, beside the audit file. May be nil.
	Audit consent.Auditor
	// Commands are those that the front end carries out itself (/abort, /quit), for /help.
	Commands []Command
	// Changed is called when permission questions come or go.
	Changed func()
	// Parent is the session of the agent that asks this one, "" for a person's.
	Parent string
	// MCP are further servers of MCP tools, for this session alone.
	MCP []mcp.Server
	// CanSwitch says that the front end goes on with Done.Session (/resume).
	CanSwitch bool
}

// Session is one conversation with its gate. Turns run one after the other; the rest may be called
// at any time.
type Session struct {
	ID     string
	engine *Engine
	o      SessionOptions
	given  SessionOptions // as they came, for a session that takes this one's place
	keeper *keeper        // nil where sessions aren't kept
	gate   *consent.Gate
	conv   *turn.Conversation
	audit  *consent.AuditFile
	plan   tools.PlanState
	mcp    *mcp.Servers // those that came with the session; nil for none
	names  *mcp.Names   // of their tools; nil for none
	// commands are the slash commands, listed at the first use.
	commands func() []Command

	mu    sync.Mutex
	model llm.Model  // guarded by mu: changed by SetModel between turns
	set   *tools.Set // guarded by mu
	mark  string     // guarded by mu: of what set was made of
}

// NewSession starts a conversation.
func (e *Engine) NewSession(o SessionOptions) (*Session, error) {
	return e.session(cmp.Or(o.ID, session.NewID()), o, nil)
}

// session puts the parts of a session together; k is the keeper of a saved one.
func (e *Engine) session(id string, o SessionOptions, k *keeper) (*Session, error) {
	s := &Session{ID: id, engine: e, o: o, given: o, model: e.model}
	s.commands = sync.OnceValue(s.listCommands)
	if !e.Asked() {
		o.Asker, o.Questioner = onePerson(o.Asker, o.Questioner)
		s.o = o
	}
	s.mcp, s.names = e.newSessionMCP(o.MCP, o.Cwd)
	h := sessionHooks{s}
	g := consent.Options{
		Yolo: e.file.Yolo, Entries: e.file.EntryYolo(), Asked: e.Asked(),
		Asker: o.Asker, Unattended: o.Unattended, Guard: h,
	}
	if e.file.Audit != "" {
		a, err := consent.OpenAudit(e.file.Audit, s.ID, func(err error) { s.warn("[warning: %v]", err) })
		if err != nil {
			return nil, err
		}
		s.audit = a
	}
	record := &decisions{file: s.audit, front: o.Audit, sink: o.Sink, trace: e.o.Trace, seen: s.prewarmer(), refused: map[string]bool{}}
	g.Audit = record
	g.Changed = func() {
		record.open(s.gate.Open())
		if o.Changed != nil {
			o.Changed()
		}
	}
	s.gate = consent.NewGate(g)
	if o.Questioner != nil {
		e.askable.Store(true)
	}
	if o.Files != nil {
		e.files.Store(true)
	}
	if s.keeper = k; k == nil {
		s.keeper = e.newKeeper(s)
	} else {
		k.s = s
	}
	var keep turn.Keeper
	if s.keeper != nil {
		keep = s.keeper
	}
	s.conv = turn.New(turn.Options{
		Keeper: keep, Model: s.Model(), Tools: s.toolset(atOnce()), Refresh: s.toolset, Gate: s.gate, Asker: e.team(), Sink: record, Questioner: o.Questioner,
		Instructions: e.instructions(o.Cwd, o.Dirs), Cwd: o.Cwd, Session: s.ID, MaxTurns: e.file.MaxTurns,
		Watchdog: e.file.WatchdogTimeout, Structure: e.structure, After: h.after,
	})
	return s, nil
}

// Close ends the session. No turn may run any more.
func (s *Session) Close() {
	s.mcp.Close()
	if s.keeper != nil {
		s.keeper.w.Close()
	}
	if s.audit != nil {
		_ = s.audit.Close()
	}
}

// Engine is the agent of this session.
func (s *Session) Engine() *Engine { return s.engine }

// Gate decides the session's calls.
func (s *Session) Gate() *consent.Gate { return s.gate }

// Ask runs a turn on a person's text, whatever it looks like: it is never read as a command.
func (s *Session) Ask(ctx context.Context, text string, images ...llm.Image) turn.Outcome {
	return s.conv.Ask(ctx, text, images...)
}

// Relay asks a named agent for the person.
func (s *Session) Relay(ctx context.Context, agent, prompt string) (ui.Answer, turn.Outcome) {
	return s.conv.Relay(ctx, ui.Ask{Agent: agent, Prompt: prompt, Workplace: s.workplace()})
}

// workplace is where the agents work that this session asks.
func (s *Session) workplace() ui.Workplace { return ui.Workplace{Dirs: s.o.Dirs, Files: s.o.Files} }

// toolset gives the tools of the next turn: the same set unless the catalogue of skills or the tools
// of MCP servers have changed. It waits for servers that are starting, 5 s at most, or until ctx ends.
func (s *Session) toolset(ctx context.Context) *tools.Set {
	mark := ""
	if dir := s.engine.file.SkillsDir; dir != "" {
		mark = tools.SkillsMark(dir)
	}
	var served []tools.Tool
	own := func(t tools.Tool) bool { return s.names != nil && s.names.Own(t.Spec().Name) }
	for _, m := range []*mcp.Servers{s.engine.mcp(), s.mcp} {
		list, generation := listed(ctx, m)
		if m != s.mcp {
			// A server of the file that lists a tool later must not get what was allowed to this session's.
			list = slices.DeleteFunc(slices.Clone(list), own)
		}
		served = append(served, list...)
		mark += fmt.Sprintf("mcp %d\n", generation)
		s.warnAll(m.Warnings())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set == nil || mark != s.mark {
		s.set, s.mark = s.engine.tools(s, served), mark
	}
	return s.set
}

// listed waits for the servers' lists and returns them with the generation that they are of.
func listed(ctx context.Context, m *mcp.Servers) ([]tools.Tool, int) {
	m.Tools(ctx)
	for {
		generation := m.Generation()
		list := m.Tools(atOnce())
		if generation == m.Generation() {
			return list, generation
		}
	}
}

// atOnce is a context that has ended: what is known now is enough where nobody asks yet.
func atOnce() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func (s *Session) said() []ui.Said { return s.conv.Said() }

func (s *Session) warnAll(lines []string) {
	for _, l := range lines {
		s.warn("[warning: %s]", l)
	}
}

func (s *Session) warn(format string, args ...any) {
	if s.o.Sink != nil {
		s.o.Sink.Emit(ui.Notice{Level: ui.Warning, Text: fmt.Sprintf(format, args...)})
	}
}
