package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/proc"
	"github.com/mini-me/mm/tools"
)

// parts checks what else an agent file names.
func (c *checker) parts(f *agents.File, at string) {
	c.yolo(f, at)
	c.shell(f, at)
	c.hooks(f, at)
	c.skills(f, at)
	c.languages(f, at)
	c.mcp(f, at)
	c.folders(f, at)
}

// yolo tells what may run without asking; of an asked agent the file that the user started decides.
func (c *checker) yolo(f *agents.File, at string) {
	switch {
	case at != "":
	case f.Yolo:
		c.good("yolo: on (tools run without asking)")
	default:
		c.good("yolo: off (tools ask)")
	}
}

// shell checks that what runs commands is there.
func (c *checker) shell(f *agents.File, at string) {
	if _, err := exec.LookPath("bash"); err != nil && f.BashTool {
		c.bad("%sthe tool bash needs bash, which is not on the PATH: install it, or write bashTool: false", at)
	}
}

// hooks lists the hooks: Load has found their files.
func (c *checker) hooks(f *agents.File, at string) {
	if len(f.Hooks) == 0 {
		return
	}
	if _, err := exec.LookPath("bash"); err != nil {
		c.bad("%shooks need bash, which is not on the PATH", at)
		return
	}
	for _, event := range []string{agents.PreToolCall, agents.PostToolCall, agents.PreAsk, agents.PostAsk} {
		for _, h := range f.Hooks[event] {
			match := h.Match
			if match == "" {
				match = "all"
			}
			c.good("%shook %s (%s): %s", at, event, match, firstLine(h.Command))
		}
	}
}

func firstLine(s string) string {
	line, rest, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more && rest != "" {
		return line + " …"
	}
	return line
}

func (c *checker) skills(f *agents.File, at string) {
	if f.SkillsDir == "" {
		return
	}
	if _, err := os.ReadDir(f.SkillsDir); err != nil {
		return // Load has warned of it
	}
	list := tools.Skills(f.SkillsDir)
	if len(list) == 0 {
		c.note("%sskillsDir: no skill in %s: put NAME.md or NAME/SKILL.md there", at, f.SkillsDir)
		return
	}
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.Name
	}
	c.good("%sskills: %s", at, strings.Join(names, ", "))
}

func (c *checker) languages(f *agents.File, at string) {
	for _, name := range sorted(f.LSPServers) {
		s := f.LSPServers[name]
		if _, err := exec.LookPath(s.Command); err != nil {
			c.note("%slanguage server %s (%s) is not on the PATH: it will be skipped until it is installed", at, name, s.Command)
			continue
		}
		c.good("%slanguage server %s (%s)", at, name, strings.Join(s.Extensions, " "))
	}
}

func (c *checker) mcp(f *agents.File, at string) {
	for _, name := range sorted(f.MCPServers) {
		if s := f.MCPServers[name]; s.Command != "" {
			c.found(at+"MCP server "+name, s.Command)
		} else {
			c.good("%sMCP server %s is reached over HTTP (not tried)", at, name)
		}
	}
}

// folders checks where files will be written.
func (c *checker) folders(f *agents.File, at string) {
	if f.Audit != "" {
		if err := writable(filepath.Dir(f.Audit)); err != nil {
			c.bad("%saudit: %v", at, err)
		}
	}
	if f.SessionsDir == "" {
		return
	}
	if err := writable(existing(f.SessionsDir)); err != nil {
		c.note("%ssessions can't be saved: %v", at, err)
	}
}

// existing is the nearest folder above a path, or itself, that is there already.
func existing(path string) string {
	for {
		if _, err := os.Lstat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

// writable reports why no file can be made in a folder, by making one.
func writable(dir string) error {
	st, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("the folder %s isn't there: make it", dir)
	}
	if !st.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	f, err := os.CreateTemp(dir, ".mm-check-*")
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", dir, err)
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

// found checks that a command can be run.
func (c *checker) found(what, command string) {
	err := proc.Check(proc.Spec{Path: command})
	start, _ := errors.AsType[*proc.StartError](err)
	switch {
	case err == nil:
		c.good("%s: %s", what, command)
	case errors.Is(err, exec.ErrNotFound):
		c.bad("%s: %s is not on the PATH: install it, or write its path", what, command)
	case start != nil:
		c.bad("%s: %s: %s", what, command, start.Reason)
	default:
		c.bad("%s: %s: %v", what, command, err)
	}
}

func sorted[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
