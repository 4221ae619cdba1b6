package tools

import (
	"crypto/sha256"
	"fmt"
	"sync"
)

// The thresholds of the loop detector (tools.fr.md, Détection de boucle).
const (
	loopWarn = 3 // the same call this often in a row: the model is told
	loopStop = 6 // and this often: the turn ends
)

// LoopDetected is added to the output of the third identical call in a row.
const LoopDetected = "[LOOP_DETECTED: You have attempted the same action multiple times with the same result. Please try a different approach or provide more information.]"

// Loop is the loop detector of one conversation. Every call is recorded after it ended.
type Loop struct {
	mu   sync.Mutex
	last [sha256.Size]byte // guarded by mu
	n    int               // guarded by mu: how often in a row
}

// LoopError ends a turn: the model makes the same call again and again.
type LoopError struct {
	Tool   string
	Times  int
	Failed bool
}

// Error is the literal text of tools.fr.md; calls that didn't fail are told apart (supplement 16).
func (e *LoopError) Error() string {
	with, tail := "the same result", "rephrase the request"
	if e.Failed {
		with, tail = "the same failing result", "rephrase the request, or fix what the tool kept reporting"
	}
	return fmt.Sprintf("[error: the model repeated the same %s call %d times in a row with %s — turn stopped by the loop detector; %s]", e.Tool, e.Times, with, tail)
}

// Record notes a finished call. It returns text to add to the output, "" mostly, and an error when
// the turn must end.
func (l *Loop) Record(tool, input, output string, failed bool) (add string, err error) {
	h := sha256.New()
	for _, s := range []string{tool, input, output} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	l.mu.Lock()
	defer l.mu.Unlock()
	if sum != l.last {
		l.last, l.n = sum, 0
	}
	l.n++
	switch {
	case l.n >= loopStop:
		return "", &LoopError{Tool: tool, Times: l.n, Failed: failed}
	case l.n >= loopWarn:
		return LoopDetected, nil
	}
	return "", nil
}

// Reset forgets what was recorded (/new).
func (l *Loop) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last, l.n = [sha256.Size]byte{}, 0
}
