package child

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mini-me/mm/internal/acp"
)

// loginError says of an error for want of a login what to type.
func (c *Client) loginError(err error) error {
	if acp.ErrorCode(err) != acp.CodeAuthRequired {
		return turnError(err)
	}
	return fmt.Errorf("needs a login: %s (%w)", c.loginHint(), turnError(err))
}

// loginHint says how to log in to the agent. "The client reruns the same program with args appended and
// env laid over, in a real terminal" (ACP, authMethods of type terminal).
func (c *Client) loginHint() string {
	for _, m := range c.info.AuthMethods {
		if m.Type == acp.AuthTerminal {
			return fmt.Sprintf("run `%s` in a terminal", c.loginCommand(m.Args, m.Env))
		}
	}
	command := c.loginCommand(nil, nil)
	for _, m := range c.info.AuthMethods {
		if m.Description != "" {
			return fmt.Sprintf("run `%s` once in a terminal (%s: %s)", command, m.Name, m.Description)
		}
	}
	return fmt.Sprintf("run `%s` once in a terminal", command)
}

// speaksACP are arguments that make an agent speak ACP, without which it speaks to a person.
var speaksACP = regexp.MustCompile(`^-{0,2}(experimental-)?acp$`)

// loginCommand is what a person types: the agent's command without what makes it speak ACP.
func (c *Client) loginCommand(args []string, env map[string]string) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		words = append(words, name+"="+quote(env[name]))
	}
	words = append(words, quote(c.cmd.shellName()))
	for _, arg := range c.cmd.Args {
		if !speaksACP.MatchString(arg) {
			words = append(words, quote(arg))
		}
	}
	for _, arg := range args {
		words = append(words, quote(arg))
	}
	return strings.Join(words, " ")
}

// quote quotes a word for a shell where it needs that.
func quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
