package mcp

import (
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
)

// maxName is the longest name of a tool that model servers accept, of the characters a-z, A-Z,
// 0-9, _ and -.
const maxName = 64

// Names gives each tool a name of its own. A name that was given once stays with its tool: an
// answer for the session is remembered under it, and a server that changes its list mustn't inherit
// what was allowed to another tool. Several Servers whose tools are declared side by side share
// one, or one is the Session of the other.
type Names struct {
	above *Names // whose names are taken here too; nil for none

	mu      sync.Mutex
	owner   map[string]source // guarded by mu
	servers map[string]bool   // guarded by mu: their names, as they stand in those of tools
}

// source is a tool of a server.
type source struct {
	server *server // nil for reserved names
	tool   string
}

// NewNames returns the registry. The reserved names, those of mm's own tools, are never given.
func NewNames(reserved ...string) *Names {
	n := &Names{owner: map[string]source{}, servers: map[string]bool{}}
	for _, name := range reserved {
		n.owner[name] = source{}
	}
	return n
}

// Session returns the registry of a session's own servers: what is given in n is taken in it, and n
// knows nothing of it. So a name never depends on which other sessions there are, and a hook or an
// answer that is meant for it finds it in each.
func (n *Names) Session() *Names {
	s := NewNames()
	s.above = n
	return s
}

// Own reports whether a name was given here, and not by the registry above.
func (n *Names) Own(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, own := n.owner[name]
	return own
}

// admit takes the name of a server, as it stands in the names of its tools, unless another one has
// it: which of two servers gets a name must not depend on which lists its tools first.
func (n *Names) admit(server string) bool {
	if n.above != nil && n.above.serves(server) || n.serves(server) {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.servers[nameable(server)] = true
	return true
}

func (n *Names) serves(server string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.servers[nameable(server)]
}

// claim returns the name of a tool: <server>_<tool>, with a suffix made of both where another tool
// has that already.
func (n *Names) claim(s *server, tool string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	src := source{s, tool}
	name := nameable(s.Name) + "_" + nameable(tool)
	name = name[:min(len(name), maxName)]
	for i := 0; ; i++ {
		if have, taken := n.owner[name]; have == src || !taken && (n.above == nil || !n.above.Own(name)) {
			n.owner[name] = src
			return name
		}
		h := fnv.New32a()
		fmt.Fprintf(h, "%s\x00%s\x00%d", s.Name, tool, i)
		suffix := fmt.Sprintf("_%08x", h.Sum32())
		name = nameable(s.Name) + "_" + nameable(tool)
		name = name[:min(len(name), maxName-len(suffix))] + suffix
	}
}

// release gives the names of a server back.
func (n *Names) release(s *server) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.servers, nameable(s.Name))
	for name, src := range n.owner {
		if src.server == s {
			delete(n.owner, name)
		}
	}
}

// nameable replaces what a name can't hold.
func nameable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}
