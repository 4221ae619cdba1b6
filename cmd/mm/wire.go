package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/proc"
)

// env is what the process lends to agent files.
func (o *options) env() (agents.Env, error) {
	dir, err := engine.Getwd(o.cwd)
	if err != nil {
		return agents.Env{}, usagef("%v", err)
	}
	home, _ := os.UserHomeDir() // "" is known to agents.Env
	start, err := os.Getwd()
	if err != nil {
		start = dir
	}
	return agents.Env{Lookup: os.LookupEnv, Home: home, Dir: start}, nil
}

// load reads the agent file, or takes the defaults where there is none.
func (o *options) load() (*agents.File, agents.Env, error) {
	env, err := o.env()
	if err != nil {
		return nil, env, err
	}
	path, found, err := agents.Find(o.config, env)
	if err != nil {
		return nil, env, err
	}
	var f *agents.File
	if found {
		f, err = agents.Load(path, env)
	} else {
		f, err = agents.Defaults(env)
	}
	return f, env, err
}

// engine puts the parts together. The caller closes it.
func (o *options) engine(logf func(string, ...any)) (*engine.Engine, error) {
	f, env, err := o.load()
	if err != nil {
		return nil, err
	}
	self, err := proc.Self()
	if err != nil {
		return nil, err
	}
	eo := engine.Options{File: f, Version: version, Executable: self, Env: os.Environ(), AgentEnv: env, Log: logf}
	if o.logFile != "" {
		eo.Trace = logf
	}
	return engine.New(eo)
}

// open is engine with the log: logf writes to it, or to fallback without --log, and done closes both.
func (o *options) open(fallback io.Writer) (e *engine.Engine, logf func(string, ...any), done func(), err error) {
	logf, closeLog, err := o.log(fallback)
	if err != nil {
		return nil, nil, nil, err
	}
	e, err = o.engine(logf)
	if err != nil {
		closeLog()
		return nil, nil, nil, err
	}
	return e, logf, func() { e.Close(); closeLog() }, nil
}

// log opens the log. Without --log it goes to fallback, which may be io.Discard.
func (o *options) log(fallback io.Writer) (logf func(string, ...any), closeLog func(), err error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
		return nil, nil, usagef("--log-level: %q is not one of debug, info, warn, error", o.logLevel)
	}
	if o.logFile == "" {
		return func(format string, args ...any) {
			fmt.Fprintln(fallback, "mm: "+strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " ⏎ "))
		}, func() {}, nil
	}
	f, err := os.OpenFile(o.logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, usagef("--log: %v", err)
	}
	l := slog.New(slog.NewJSONHandler(f, &slog.HandlerOptions{Level: level})).With("pid", os.Getpid())
	return func(format string, args ...any) { l.Info(fmt.Sprintf(format, args...)) }, func() { _ = f.Close() }, nil
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colour reports whether colours may be written to stdout.
func (o *options) colour() bool {
	return isTerminal(o.out) && !o.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
