package session

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asked begins an asked agent's session.
func asked(t *testing.T, s *Store, id string) *Writer {
	t.Helper()
	return s.Create(Info{ID: id, Cwd: "/", Parent: "asker"}, Options{Warn: func(err error) { t.Error(err) }})
}

// TestAShortAskIsWrittenOnce: nobody waits for an asked agent's session, and what is over soon goes to disk
// in one piece.
func TestAShortAskIsWrittenOnce(t *testing.T) {
	s := NewStore(t.TempDir())
	w := asked(t, s, "jan")
	w.Append(question("q"))
	w.Append(answer("a"))
	w.Save()
	w.Close()
	names, err := filepath.Glob(filepath.Join(s.Dir(), "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("%v %v, want the session's file alone", names, err)
	}
	if f := load(t, s, "jan"); len(f.Messages) != 2 || f.Parent != "asker" {
		t.Errorf("%+v", f)
	}
}

// TestAnAskAtWorkIsOnDisk: a long ask is on disk while it works, what its calls returned so far included.
func TestAnAskAtWorkIsOnDisk(t *testing.T) {
	s := NewStore(t.TempDir())
	w := asked(t, s, "jan")
	defer w.Close()
	w.Append(question("q"))
	w.Pending(calls("c1", "c2"))
	w.Result(result("c1", "x"), calls("c1").Calls[0])
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if f, err := s.Load("jan"); err == nil && len(f.Messages) == 3 && f.Messages[2].Content == "x" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("neither the step nor its result came to disk")
		}
	}
}

// TestMadeAheadIsDatedByItsAsk: a session that was made ahead begins with its ask.
func TestMadeAheadIsDatedByItsAsk(t *testing.T) {
	s := NewStore(t.TempDir())
	now := time.Unix(1000, 0)
	w := s.Create(Info{ID: "jan", Cwd: "/", Parent: "asker"}, Options{Now: func() time.Time { return now }})
	now = time.Unix(2000, 0)
	w.Append(question("q"), answer("a"))
	w.Close()
	if f := load(t, s, "jan"); !f.Created.Equal(now) {
		t.Errorf("created %v, want %v", f.Created, now)
	}
}

// TestAPersonsAskedSessionWaitsForTheDisk: who goes on with an asked agent's session has no asker whose
// session has it all.
func TestAPersonsAskedSessionWaitsForTheDisk(t *testing.T) {
	s := NewStore(t.TempDir())
	w := asked(t, s, "jan")
	w.Append(question("q"), answer("a"))
	w.Close()
	w, _, err := s.Open("jan", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Append(question("more"))
	if f := load(t, s, "jan"); len(f.Messages) != 3 {
		t.Errorf("%d messages on disk after the third was kept", len(f.Messages))
	}
}

// TestBehindSavesTheSame: whatever is kept in whatever order, what an asked agent's session has on disk
// after each save is what any other session would have.
func TestBehindSavesTheSame(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := NewStore(t.TempDir())
		at := Options{Now: func() time.Time { return time.Unix(1000, 0) }, Warn: func(err error) { t.Error(err) }}
		a := s.Create(Info{ID: "a", Cwd: "/", Parent: "asker"}, at)
		b := s.Create(Info{ID: "b", Cwd: "/"}, at)
		open := 0
		for i := range 40 {
			text := fmt.Sprint(i)
			do := func(f func(*Writer)) { f(a); f(b) }
			switch {
			case i == 0:
				do(func(w *Writer) { w.Append(question("first")) })
			case open > 0 && r.IntN(2) == 0:
				id := fmt.Sprint("c", open)
				do(func(w *Writer) { w.Result(result(id, text), calls(id).Calls[0]) })
				open--
			case open > 0 && r.IntN(2) == 0:
				do(func(w *Writer) { w.Append(calls("c2", "c1"), result("c2", text), result("c1", text)) })
				open = 0
			case open == 0 && r.IntN(3) == 0:
				do(func(w *Writer) { w.Pending(calls("c2", "c1")) })
				open = 2
			case open == 0 && r.IntN(8) == 0:
				do(func(w *Writer) { w.Replace([]Message{question("short")}, "first") })
			case open == 0:
				do(func(w *Writer) { w.Append(answer(text), question(text)) })
			}
			if r.IntN(4) == 0 {
				do((*Writer).Flush)
				alike(t, seed, i, load(t, s, "a"), load(t, s, "b"))
			}
		}
		a.Close()
		b.Close()
		alike(t, seed, -1, load(t, s, "a"), load(t, s, "b"))
		if _, err := os.Stat(s.lock("a")); err == nil {
			t.Errorf("seed %d: the lock is left", seed)
		}
	}
}

// alike compares two sessions but for what tells them apart.
func alike(t *testing.T, seed uint64, step int, a, b *File) {
	t.Helper()
	text := func(f *File) string {
		f.ID, f.Parent = "", ""
		out, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if x, y := text(a), text(b); x != y {
		t.Fatalf("seed %d, after step %d:\n%s\n%s", seed, step, strings.ReplaceAll(x, "},", "},\n"), strings.ReplaceAll(y, "},", "},\n"))
	}
}
