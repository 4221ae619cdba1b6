// Package engine is one agent at work in this process: the parts that an agent file names, put
// together once (model, hooks, the Supervisor of the agents below), and the Sessions that use them.
// Every front end drives a Session and draws what it emits; what a line of input means, slash
// commands included, is decided here and not in a front end.
package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/hooks"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/session"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/orchestrator"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/lsp"
	"github.com/mini-me/mm/tools/mcp"
	"github.com/mini-me/mm/tools/web"
)

// Options configure an Engine.
type Options struct {
	File    *agents.File
	Version string
	// Executable is this program: it starts children and guards.
	Executable string
	// Env is the environment of commands and children, as os.Environ has it.
	Env []string
	// AgentEnv is the same for reading the files of named agents.
	AgentEnv agents.Env
	// Log gets lines for the log; nil drops them.
	Log func(format string, args ...any)
	// Trace gets what is asked and decided, for a log file: too much for a terminal or an asker. Nil
	// drops it.
	Trace func(format string, args ...any)
}

// Engine is an agent with all its parts. Close ends what it has started.
type Engine struct {
	o     Options
	file  *agents.File
	model llm.Model
	hooks *hooks.Runner
	// structure is the form of final answers, nil for free text.
	structure *turn.Structure
	// team reads the files of the named agents at its first use: an ACP agent answers initialize
	// before it reads anything but its own file.
	team  func() *orchestrator.Supervisor
	store func() *session.Store // nil where sessions are not kept
	lsp   func() *lsp.Tool      // nil where no language server is found
	mcp   func() *mcp.Servers   // nil where none is named
	// names are those of MCP tools, so that two servers' tools stay apart; robots is what sites allow.
	names  func() *mcp.Names
	robots func() *web.Robots
	stop   sync.Once
	ending sync.WaitGroup // what Stop has begun
	// askable says that a front end can show questions to a person.
	askable atomic.Bool
	// files says that a front end has files of its own.
	files atomic.Bool

	mu     sync.Mutex
	warned []string // guarded by mu: lines of the parts for the person
}

// New puts the parts of an agent together. It starts no process and asks no server.
func New(o Options) (*Engine, error) {
	e := &Engine{o: o, file: o.File}
	var err error
	if e.model, err = NewModel(o.File, o.Version); err != nil {
		return nil, err
	}
	if e.hooks, err = newHooks(o); err != nil {
		return nil, err
	}
	if e.structure, err = newStructure(o.File); err != nil {
		return nil, err
	}
	e.team = sync.OnceValue(e.supervisor)
	e.store = sync.OnceValue(e.newStore)
	e.lsp = sync.OnceValue(e.newLSP)
	e.mcp = sync.OnceValue(e.newMCP)
	e.names = sync.OnceValue(builtInNames)
	e.robots = sync.OnceValue(func() *web.Robots { return web.NewRobots(nil) })
	return e, nil
}

func (e *Engine) supervisor() *orchestrator.Supervisor {
	list := orchestrator.Named(e.file, e.o.AgentEnv, orchestrator.Start{
		Program: e.o.Executable, Env: e.o.Env, Version: e.o.Version, Log: e.o.Log, Questions: e.askable.Load, Files: e.files.Load,
	})
	for i := range list {
		e.learn(&list[i])
	}
	return orchestrator.New(orchestrator.Options{Agents: list, Depth: e.file.Depth, Hooks: askHooks{e}, MaxContext: e.file.MaxOutput, Spare: spare})
}

// File is the agent file.
func (e *Engine) File() *agents.File { return e.file }

// Model is the agent's model.
func (e *Engine) Model() llm.Model { return e.model }

// Version is mm's version.
func (e *Engine) Version() string { return e.o.Version }

// Agents lists the agents that can be asked, sorted by name.
func (e *Engine) Agents() []orchestrator.Agent { return e.team().Agents() }

// BeAsked makes this the engine of an agent that another mm asks, at the given depth: its own yolo
// and those of its entries don't count any more. It is called before the first session, and never
// makes an agent less bound than its environment did.
func (e *Engine) BeAsked(depth int) {
	if depth <= e.file.Depth {
		return
	}
	f := *e.file
	f.Depth, f.Yolo = depth, false
	e.file = &f
}

// Asked reports whether this agent was started by another one.
func (e *Engine) Asked() bool { return e.file.Depth > 0 }

// NewModel makes the client of an agent file's model. It asks no server.
func NewModel(f *agents.File, version string) (llm.Model, error) {
	return llm.New(llm.Options{
		Provider: f.Provider, BaseURL: f.BaseURL, APIKey: f.APIKey, Headers: f.Headers, Model: f.Model,
		Temperature: f.Temperature, MaxTokens: f.AnswerTokens(f.ContextWindow), TopP: f.TopP, Seed: f.Seed,
		ReasoningEffort: f.ReasoningEffort, ExtraBody: f.ExtraBody, ToolCalls: f.ToolCalls,
		ContextWindow: f.ContextWindow, Script: f.Script, UserAgent: "mm/" + version,
	})
}

// learn adds what is known of an agent of another make, and keeps what will be.
func (e *Engine) learn(a *orchestrator.Agent) {
	if a.Command.MM {
		return
	}
	command, learnt := a.Command, newKnown(e.file)
	a.Skips = learnt.skips(command)
	note := func(skips bool) func() {
		return func() {
			if err := learnt.note(command, skips); err != nil && e.o.Log != nil {
				e.o.Log("keeping what is known of %s: %v", command.Name, err)
			}
		}
	}
	a.Command.Skips, a.Command.Asks = note(true), note(false)
}

// tools lists the tools of the agent file for one session.
func (e *Engine) tools(s *Session, served []tools.Tool) *tools.Set {
	f := e.file
	var list []tools.Tool
	if f.BashTool {
		list = append(list, tools.NewBash(tools.BashOptions{MaxOutput: f.MaxOutput, Guard: e.o.Executable, Env: e.o.Env}))
	}
	if f.EditTools {
		o := tools.FileOptions{Files: s.o.Files, MaxOutput: f.MaxOutput}
		list = append(list, tools.NewReadFile(o), tools.NewWriteFile(o), tools.NewEditFile(o))
	}
	if t := e.lsp(); t != nil {
		list = append(list, t)
	}
	if f.FetchContentTool {
		list = append(list, web.New(web.Options{Version: e.o.Version, MaxOutput: f.MaxOutput, Files: s.o.Files, Robots: e.robots()}))
	}
	if f.SkillsDir != "" {
		if catalogue := tools.Skills(f.SkillsDir); len(catalogue) > 0 {
			list = append(list, tools.NewReadSkill(f.SkillsDir, catalogue, f.MaxOutput))
		}
	}
	if agents := e.Agents(); len(agents) > 0 {
		o := tools.AskAgentOptions{Asker: e.team(), MaxOutput: f.MaxOutput, History: s.said, Line: e.label, Workplace: s.workplace()}
		for _, a := range agents {
			o.Agents = append(o.Agents, tools.Agent{Name: a.Name, Role: a.Role})
		}
		list = append(list, tools.NewAskAgent(o))
	}
	if f.PlanTool {
		list = append(list, tools.NewPlan(&s.plan))
	}
	if f.AskUserTool && e.structure == nil {
		list = append(list, tools.NewAskUser())
	}
	return tools.NewSet(append(list, served...)...)
}

// label is an agent with its model, as the terminal shows it: "jan (ollama/qwen3:4b)".
func (e *Engine) label(name string) string {
	a, _ := e.team().Lookup(name)
	switch {
	case a.Provider != "" && a.Model != "":
		return fmt.Sprintf("%s (%s/%s)", name, a.Provider, a.Model)
	case a.Provider != "" || a.Model != "":
		return fmt.Sprintf("%s (%s)", name, a.Provider+a.Model)
	case a.Command.Path != "" && !a.Command.MM:
		return fmt.Sprintf("%s (%s)", name, filepath.Base(a.Command.Path))
	}
	return name
}

// instructions is the system prompt of a session.
func (e *Engine) instructions(cwd string, dirs []string) string {
	text := e.file.Instructions
	if text == "" {
		text = builtIn(cwd)
	}
	if len(dirs) > 0 {
		text += "\n\nFurther folders of this work: " + strings.Join(dirs, ", ")
	}
	if e.structure != nil {
		text += "\n\nYour final answer must be only JSON, without a code fence, that fits this JSON Schema:\n" + string(e.structure.Format.Schema)
	}
	return text
}

// builtIn is the system prompt of an agent whose file has none.
func builtIn(cwd string) string {
	return "You are mm, a coding agent on the user's machine. The working directory is " + cwd + ". " +
		"Use the tools to look before you answer; take small steps. Answer in the user's language, briefly. " +
		"Never invent what a tool returned."
}

// Getwd is the working directory of a terminal session.
func Getwd(flag string) (string, error) {
	if flag == "" {
		return os.Getwd()
	}
	abs, err := filepath.Abs(flag)
	if err != nil {
		return "", err
	}
	st, err := os.Stat(abs)
	if err != nil {
		return "", fmt.Errorf("--cwd: %s does not exist", flag)
	}
	if !st.IsDir() {
		return "", fmt.Errorf("--cwd: %s is not a folder", flag)
	}
	return abs, nil
}
