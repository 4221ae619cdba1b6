package session

import (
	"fmt"
	"strings"
	"testing"
)

// long is a conversation of 10,000 messages, about 15 MB.
func long() []Message {
	var list []Message
	text := strings.Repeat("The quick brown fox jumps over the <lazy> dog & \"sleeps\".\n", 40)
	for i := range 2500 {
		id := fmt.Sprintf("c%08d", i)
		list = append(list, question(text[:200]), calls(id), result(id, text), answer(text))
	}
	return list
}

// BenchmarkSave10000 saves a session of 10,000 messages.
func BenchmarkSave10000(b *testing.B) {
	s := NewStore(b.TempDir())
	w := s.Create(Info{ID: "one", Cwd: "/"}, Options{})
	defer w.Close()
	w.Append(long()...)
	for b.Loop() {
		w.Update(func(*Info, *Usage) {})
		w.Flush()
	}
}

// BenchmarkAppend10000 adds a message to a session of 10,000: what a turn waits for.
func BenchmarkAppend10000(b *testing.B) {
	s := NewStore(b.TempDir())
	w := s.Create(Info{ID: "one", Cwd: "/"}, Options{})
	defer w.Close()
	w.Append(long()...)
	m := answer(strings.Repeat("x", 2000))
	for b.Loop() {
		w.Append(m)
	}
}

// BenchmarkLoad10000 reads one.
func BenchmarkLoad10000(b *testing.B) {
	s := NewStore(b.TempDir())
	w := s.Create(Info{ID: "one", Cwd: "/"}, Options{})
	w.Append(long()...)
	w.Close()
	for b.Loop() {
		if _, err := s.Load("one"); err != nil {
			b.Fatal(err)
		}
	}
}
