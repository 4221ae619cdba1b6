//go:build linux

package faults

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/mmtest"
)

// models is one model server for a whole team: each agent's system prompt is its name.
type models struct {
	*llmtest.Server
	t testing.TB

	mu      sync.Mutex
	hanging map[string]bool // guarded by mu: agents whose connection is held open
}

// newModels starts the server. A handler gets the agent's name in r.System().
func newModels(t testing.TB, h llmtest.Handler) *models {
	m := &models{t: t, hanging: map[string]bool{}}
	m.Server = llmtest.New(t, h)
	return m
}

// hang holds an answer open until the client goes away.
func (m *models) hang(a *llmtest.Answer, who string) {
	m.set(who, true)
	<-a.Context().Done()
	m.set(who, false)
}

func (m *models) set(who string, hangs bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hanging[who] = hangs
}

// hangs waits until an agent's connection is held open, or no more.
func (m *models) hangs(who string, want bool) {
	m.t.Helper()
	mmtest.Wait(m.t, fmt.Sprintf("%s's model connection open: %v", who, want), func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.hanging[who] == want
	})
}

// agent is an agent file that uses the server.
func (m *models) agent(name, more string) string {
	return fmt.Sprintf("provider: test\nbaseURL: %s\nmodel: test-model\ninstructions: %s\n%s\n", m.URL, name, more)
}

// results are what an agent's model has read of its tools in its last request, in order.
func (m *models) results(agent string) []string {
	var list []string
	for _, r := range m.Requests() {
		if r.System() != agent {
			continue
		}
		list = nil
		for _, msg := range r.Messages {
			if msg.Role == "tool" {
				list = append(list, msg.Content)
			}
		}
	}
	return list
}

// calls makes an answer of ask_agent calls: "jan: prompt".
func calls(a *llmtest.Answer, asks ...string) {
	for _, ask := range asks {
		agent, prompt, _ := strings.Cut(ask, ": ")
		a.Call("ask_agent", fmt.Sprintf(`{"agent":%q,"prompt":%q}`, agent, prompt))
	}
}

func bash(a *llmtest.Answer, command string) {
	a.Call("bash", fmt.Sprintf(`{"command":%q}`, command))
}
