package consent

import (
	"slices"
	"sync"
)

// Policy is what a session remembers: an answer for each key. It survives /new and ends with the
// process.
type Policy struct {
	mu   sync.Mutex
	keys map[string]bool // guarded by mu; true allows
}

// NewPolicy returns an empty memory.
func NewPolicy() *Policy { return &Policy{keys: map[string]bool{}} }

// Lookup returns the remembered answer for a key.
func (p *Policy) Lookup(key string) (allow, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	allow, known = p.keys[key]
	return allow, known
}

// Remember keeps an answer for the rest of the session.
func (p *Policy) Remember(key string, allow bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys[key] = allow
}

// Forget drops one key and reports whether it was there.
func (p *Policy) Forget(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, known := p.keys[key]
	delete(p.keys, key)
	return known
}

// ForgetAll drops everything and returns how many keys there were.
func (p *Policy) ForgetAll() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.keys)
	clear(p.keys)
	return n
}

// Remembered is one line of the memory.
type Remembered struct {
	Key   string
	Allow bool
}

// List returns the memory sorted by key.
func (p *Policy) List() []Remembered {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Remembered, 0, len(p.keys))
	for k, a := range p.keys {
		out = append(out, Remembered{k, a})
	}
	slices.SortFunc(out, func(a, b Remembered) int {
		switch {
		case a.Key < b.Key:
			return -1
		case a.Key > b.Key:
			return 1
		}
		return 0
	})
	return out
}
