package consent

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Gate decides requests. One Gate serves one session; its methods may be called by several
// goroutines.
//
// The order of a decision: the guard (hooks), then whether the call needs permission at all, then
// yolo (that of the agent's entry before the file's own), then what the session remembers, then
// the person.
type Gate struct {
	opts   Options
	policy *Policy

	yes   atomic.Bool // yolo: that of the options until SetYolo
	mu    sync.Mutex
	queue []*waiting // guarded by mu; the first one is shown, unless the gate is an asked agent's
}

// Options configure a Gate.
type Options struct {
	// Yolo is the effective yolo of the file that was started.
	Yolo bool
	// Entries has the yolo of the mmConfigs entries that set one, after AGENT_YOLO was applied.
	Entries map[string]bool
	// Asked marks the gate of an agent that was asked by another: it remembers nothing, asks for
	// everything, doesn't queue (the gate above does), and a hook of its own can't allow a call.
	Asked bool
	// Asker shows questions. Nil means that nobody can be asked.
	Asker Asker
	// Unattended is called once, when the first call is refused because Asker is nil.
	Unattended func()
	// Guard is asked first. May be nil.
	Guard Guard
	// Audit gets every decision. May be nil.
	Audit Auditor
	// Changed is called, without locks held, when questions come or go. May be nil.
	Changed func()
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// Auditor records decisions.
type Auditor interface {
	Record(r Request, d Decision)
}

// NewGate returns a gate that remembers nothing yet.
func NewGate(o Options) *Gate {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Unattended != nil {
		o.Unattended = sync.OnceFunc(o.Unattended)
	}
	g := &Gate{opts: o, policy: NewPolicy()}
	g.yes.Store(o.Yolo)
	return g
}

// SetYolo changes whether calls run without asking, for the rest of the session. It has no effect in
// an asked agent. Questions that are shown stay.
func (g *Gate) SetYolo(yes bool) { g.yes.Store(yes) }

// Yolo reports whether calls run without asking.
func (g *Gate) Yolo() bool { return g.yes.Load() && !g.opts.Asked }

// Policy is what this gate's session remembers.
func (g *Gate) Policy() *Policy { return g.policy }

// Decide returns whether the request may run. It blocks while a person is asked and returns a
// cancelled decision when ctx ends first.
func (g *Gate) Decide(ctx context.Context, r Request) Decision {
	d := g.decide(ctx, r)
	if g.opts.Audit != nil && (d.By != "" || d.Cancelled) {
		g.opts.Audit.Record(r, d)
	}
	return d
}

func (g *Gate) decide(ctx context.Context, r Request) Decision {
	var v Verdict
	if g.opts.Guard != nil {
		v = g.opts.Guard.Check(ctx, r)
	}
	if ctx.Err() != nil {
		return Decision{Cancelled: true}
	}
	switch {
	case r.Impossible != "":
		return Decision{By: ByAgent, Reason: r.Impossible, Context: v.Context}
	case v.Deny:
		return Decision{By: ByHook, Reason: v.Reason, Context: v.Context}
	case r.Asks == Never:
		return Decision{Allow: true, Context: v.Context}
	case v.Allow && !g.opts.Asked:
		return Decision{Allow: true, By: ByHook, Context: v.Context}
	}
	d := g.settle(ctx, r)
	d.Context = v.Context
	return d
}

// settle decides a request that needs permission and that no hook decided.
func (g *Gate) settle(ctx context.Context, r Request) Decision {
	if by := g.yolo(r); by != "" {
		return Decision{Allow: true, By: by}
	}
	if d, known := g.remembered(r); known {
		return d
	}
	if g.opts.Asker == nil {
		if g.opts.Unattended != nil {
			g.opts.Unattended()
		}
		return Decision{By: ByUnattended}
	}
	return g.ask(ctx, r)
}

// remembered returns what the session's memory says of the request.
func (g *Gate) remembered(r Request) (d Decision, known bool) {
	if g.opts.Asked {
		return Decision{}, false
	}
	allow, known := g.policy.Lookup(r.Key())
	return Decision{Allow: allow, By: ByMemory}, known
}

// yolo returns which setting lets the request run without asking, "" when none does.
func (g *Gate) yolo(r Request) By {
	if g.opts.Asked || r.Asks == Always {
		return ""
	}
	if path := r.Path(); len(path) > 0 {
		if yes, set := g.opts.Entries[path[0]]; set {
			if yes {
				return ByEntryYolo
			}
			return ""
		}
	}
	if g.yes.Load() {
		return ByYolo
	}
	return ""
}
