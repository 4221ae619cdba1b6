package orchestrator

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mini-me/mm/internal/ui"
)

// queueAfter is how long an agent may be silent before its person is told whom its server answers.
const queueAfter = 5 * time.Second

// queue knows which asks are at work at which model server. A server with room for one request lets the
// others wait without a word; who sees only silence takes it for a fault.
type queue struct {
	after time.Duration

	mu     sync.Mutex
	places []*place // guarded by mu: in the order of arrival
}

// place is one ask in the queue. It is the ask's Host as well: what the agent's model does passes by.
type place struct {
	ui.Host
	q     *queue
	agent Agent
	spoke atomic.Bool // its model has begun to answer

	timer   *time.Timer
	telling sync.WaitGroup
	left    bool // guarded by the queue's mu
}

// enter takes a place; leave gives it up.
func (q *queue) enter(a Agent, host ui.Host) *place {
	p := &place{Host: host, q: q, agent: a}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.places = append(q.places, p)
	if a.Server != "" {
		p.timer = time.AfterFunc(q.after, p.look)
	}
	return p
}

// leave gives the place up. Nothing is told any more when it returns.
func (p *place) leave() {
	p.q.mu.Lock()
	p.left = true
	for i, o := range p.q.places {
		if o == p {
			p.q.places = append(p.q.places[:i:i], p.q.places[i+1:]...)
			break
		}
	}
	if p.timer != nil {
		p.timer.Stop()
	}
	p.q.mu.Unlock()
	p.telling.Wait()
}

// Emit passes an event on and sees in it that the server answers this agent.
func (p *place) Emit(e ui.Event) {
	switch e.(type) {
	case ui.Text, ui.Thought, ui.ToolCall:
		p.spoke.Store(true)
	}
	p.Host.Emit(e)
}

// look tells, once, that the agent waits, and for whom. It looks again while nobody is answered.
func (p *place) look() {
	p.q.mu.Lock()
	if p.left || p.spoke.Load() {
		p.q.mu.Unlock()
		return
	}
	first := p.aheadLocked()
	if first == "" {
		p.timer.Reset(p.q.after)
		p.q.mu.Unlock()
		return
	}
	p.telling.Add(1)
	p.q.mu.Unlock()
	defer p.telling.Done()
	p.Host.Emit(ui.Notice{Agent: p.agent.Name, Level: ui.Info,
		Text: fmt.Sprintf("waiting for %s: it answers %s first", p.agent.serverName(), first)})
}

// aheadLocked is an agent that the same server answers now.
func (p *place) aheadLocked() string {
	for _, o := range p.q.places {
		if o != p && o.agent.Server == p.agent.Server && o.spoke.Load() {
			return o.agent.Name
		}
	}
	return ""
}

func (a Agent) serverName() string {
	if a.Provider != "" {
		return a.Provider
	}
	return "the model"
}
