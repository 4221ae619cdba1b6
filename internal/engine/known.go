package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/child"
)

// known is what mm has learnt of agents of other makes, kept beside the sessions: which of them act
// without asking, so that "mm agents" can say so before they are asked again.
type known struct{ path string }

func newKnown(f *agents.File) known {
	if f.SessionsDir == "" {
		return known{}
	}
	return known{filepath.Join(filepath.Dir(f.SessionsDir), "agents.json")}
}

// knownAgent is an entry of the file, by command line.
type knownAgent struct {
	Skips bool `json:"acts_without_asking"`
}

func commandLine(c child.Command) string {
	return strings.Join(append([]string{c.Path}, c.Args...), " ")
}

func (k known) read() map[string]knownAgent {
	all := map[string]knownAgent{}
	if b, err := os.ReadFile(k.path); k.path != "" && err == nil {
		_ = json.Unmarshal(b, &all) // a damaged file is written anew by the next finding
	}
	return all
}

// skips reports whether the agent is known to act without asking.
func (k known) skips(c child.Command) bool { return k.read()[commandLine(c)].Skips }

// note keeps whether the agent acts without asking. One that asks, and isn't known to do otherwise,
// needs no entry.
func (k known) note(c child.Command, skips bool) error {
	if k.path == "" {
		return nil
	}
	all, line := k.read(), commandLine(c)
	if all[line].Skips == skips {
		return nil
	}
	if all == nil {
		all = map[string]knownAgent{}
	}
	if skips {
		all[line] = knownAgent{Skips: true}
	} else {
		delete(all, line)
	}
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(k.path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(k.path, append(b, '\n'), 0o600)
}
