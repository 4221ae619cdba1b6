package child

import (
	"testing"

	"github.com/mini-me/mm/internal/acp"
)

// TestLoginCommand: "npx login" was told to those who had "npx -y an-agent --acp".
func TestLoginCommand(t *testing.T) {
	terminal := []acp.AuthMethod{{Type: acp.AuthTerminal, Args: []string{"login", "it's me"}, Env: map[string]string{"B": "2", "A": "1 2"}}}
	for _, c := range []struct {
		command Command
		methods []acp.AuthMethod
		want    string
	}{
		{Command{Path: "gemini", Args: []string{"--acp"}}, nil, "run `gemini` once in a terminal"},
		{Command{Path: "/usr/bin/npx", Args: []string{"-y", "an-agent", "--experimental-acp"}}, nil, "run `npx -y an-agent` once in a terminal"},
		{Command{Path: "ssh", Args: []string{"box", "opencode", "acp"}}, []acp.AuthMethod{{Name: "API key", Description: "set X_KEY"}},
			"run `ssh box opencode` once in a terminal (API key: set X_KEY)"},
		{Command{Path: "env", Args: []string{"python3", "a b.py"}}, terminal, `run ` + "`" + `A='1 2' B=2 env python3 'a b.py' login 'it'\''s me'` + "`" + ` in a terminal`},
	} {
		client := Client{cmd: c.command, info: acp.InitializeResponse{AuthMethods: c.methods}}
		if got := client.loginHint(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
