package tools

import (
	"fmt"
	"strings"
)

// Limits of streamed arguments (tools.fr.md, Détection de boucle).
const (
	runawayTail   = 256       // characters looked at
	runawayMin    = 4         // shortest pattern
	runawayMax    = 64        // longest pattern
	runawayLength = 256 << 10 // bytes of arguments that are too many in any case
)

// Runaway watches the arguments of one tool call while they stream.
type Runaway struct {
	length int
	tail   []byte // the last runawayTail bytes
	next   int    // length at which the tail is looked at again
}

// RunawayError ends a generation whose tool call never ends.
type RunawayError struct {
	Length  int
	Pattern string // "" when the arguments are only too large
}

// Error is the literal text of tools.fr.md; arguments that are only too large say so.
func (e *RunawayError) Error() string {
	what := fmt.Sprintf("its arguments repeat the same pattern (%d characters so far: %s…)", e.Length, e.Pattern)
	if e.Pattern == "" {
		what = fmt.Sprintf("its arguments are too large (%d characters so far)", e.Length)
	}
	return "[error: the model's tool call ran away: " + what + " — generation stopped; rephrase the request, or try another model]"
}

// Add takes the next fragment and returns a *RunawayError when the arguments have run away.
func (r *Runaway) Add(fragment string) error {
	r.length += len(fragment)
	r.tail = append(r.tail, fragment...)
	if n := len(r.tail) - runawayTail; n > 0 {
		r.tail = append(r.tail[:0], r.tail[n:]...)
	}
	if r.length > runawayLength {
		return &RunawayError{Length: r.length}
	}
	// A repeating tail repeats for long: looking every 64 bytes is soon enough and keeps the
	// check linear in what arrives.
	if r.length < r.next || len(r.tail) < runawayTail {
		return nil
	}
	r.next = r.length + runawayMax
	if p := period(r.tail); p != "" {
		return &RunawayError{Length: r.length, Pattern: p}
	}
	return nil
}

// period returns the pattern of 4 to 64 bytes that the whole of b repeats, "" when there is none.
func period(b []byte) string {
	for n := runawayMin; n <= runawayMax; n++ {
		same := true
		for i := n; i < len(b) && same; i++ {
			same = b[i] == b[i-n]
		}
		if same {
			return strings.ToValidUTF8(string(b[:n]), "")
		}
	}
	return ""
}
