package prompt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// How many entries are kept, and how many lines the file may have before it is written anew.
const (
	keepEntries = 1000
	fileLines   = 2000
	// maxEntry bounds an entry, in bytes: nobody wants a pasted file back by pressing Up.
	maxEntry = 64 << 10
)

// History is what was typed before, also in earlier runs: a file with a JSON string a line, mode
// 0600.
type History struct {
	path    string
	entries []string // the oldest first
}

// OpenHistory reads a history; path "" keeps it in memory. What can't be read is left out: a history
// is never worth an error.
func OpenHistory(path string) *History {
	h := &History{path: path}
	b, err := os.ReadFile(path)
	if path == "" || err != nil {
		return h
	}
	lines := 0
	for line := range bytes.Lines(b) {
		lines++
		var s string
		if json.Unmarshal(line, &s) == nil && s != "" {
			h.put(s)
		}
	}
	if lines > fileLines {
		h.rewrite()
	}
	return h
}

// put adds an entry at the end, once.
func (h *History) put(s string) {
	if n := len(h.entries); n > 0 && h.entries[n-1] == s {
		return
	}
	h.entries = append(h.entries, s)
	if n := len(h.entries) - keepEntries; n > 0 {
		h.entries = h.entries[n:]
	}
}

// Add keeps what was typed. A text that begins with a blank isn't kept, as in shells.
func (h *History) Add(s string) {
	if strings.TrimSpace(s) == "" || strings.HasPrefix(s, " ") || len(s) > maxEntry {
		return
	}
	if n := len(h.entries); n > 0 && h.entries[n-1] == s {
		return
	}
	h.put(s)
	if h.path == "" {
		return
	}
	if os.MkdirAll(filepath.Dir(h.path), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	_, _ = f.Write(line(s)) // one write: several mm may share the file
	_ = f.Close()
}

func line(s string) []byte {
	b, _ := json.Marshal(s) // a string can always be
	return append(b, '\n')
}

// rewrite shortens the file.
func (h *History) rewrite() {
	temp, err := os.CreateTemp(filepath.Dir(h.path), ".history-") // mode 0600
	if err != nil {
		return
	}
	w := bufio.NewWriter(temp)
	for _, s := range h.entries {
		_, _ = w.Write(line(s))
	}
	err = w.Flush()
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), h.path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
}

// Len is the number of entries.
func (h *History) Len() int { return len(h.entries) }

// At is an entry; 0 is the newest.
func (h *History) At(i int) string { return h.entries[len(h.entries)-1-i] }

// find returns the next entry from i on that has a text, -1 for none.
func (h *History) find(text string, i int) int {
	for ; i < h.Len(); i++ {
		if strings.Contains(strings.ToLower(h.At(i)), strings.ToLower(text)) {
			return i
		}
	}
	return -1
}
