//go:build unix

package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestMain(m *testing.M) {
	if os.Getenv("MM_TEST_WRITER") != "" {
		writeUntilKilled(os.Getenv("MM_TEST_WRITER"))
	}
	verifyLeaks(m)
}

func question(s string) Message { return Message{Role: "user", Content: s} }
func answer(s string) Message   { return Message{Role: "assistant", Content: s} }

// calls is an assistant's message with calls of the given ids.
func calls(ids ...string) Message {
	m := Message{Role: "assistant", Thought: "hm <b>", ThoughtField: "reasoning"}
	for _, id := range ids {
		m.Calls = append(m.Calls, Call{ID: id, Name: "bash", Arguments: `{"command":"echo <&>"}`, Title: "echo <&>"})
	}
	return m
}

func result(id, text string) Message { return Message{Role: "tool", CallID: id, Content: text} }

func create(t *testing.T, s *Store, id string) *Writer {
	t.Helper()
	return s.Create(Info{ID: id, Title: "t", Cwd: t.TempDir(), Agent: "/a/mm.yaml", Model: "m", Provider: "p"}, Options{Warn: func(err error) { t.Error(err) }})
}

func load(t *testing.T, s *Store, id string) *File {
	t.Helper()
	f, err := s.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRoundTrip(t *testing.T) {
	s := NewStore(filepath.Join(t.TempDir(), "state", "sessions"))
	w := create(t, s, "one")
	want := []Message{question("first\u2028 <\"&> \x1b[31m"), calls("c1", "c2"), result("c1", "x"), result("c2", "é 世界"), answer("done")}
	w.Append(want[0])
	w.Append(want[1:4]...)
	w.Append(want[4])
	w.SetPlan(&Plan{Title: "work", Steps: []Step{{"look", "completed"}, {"do", "in_progress"}}})
	w.Fault(Fault{Time: time.Unix(5, 0).UTC(), Where: "generation", Message: "bad"})
	w.Update(func(i *Info, u *Usage) { i.Model, u.Input = "m2", 7 })
	if d := cmp.Diff(want, load(t, s, "one").Messages); d != "" {
		t.Errorf("before it was saved (-want +got):\n%s", d)
	}
	w.Close()
	f := load(t, s, "one")
	if d := cmp.Diff(want, f.Messages); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if f.Plan == nil || f.Plan.Title != "work" || len(f.Plan.Steps) != 2 || len(f.Errors) != 1 || f.Errors[0].Where != "generation" || f.Usage.Input != 7 || f.Model != "m2" {
		t.Errorf("%+v", f)
	}
	st, err := os.Stat(s.path("one"))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if st, err := os.Stat(s.dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("folder's mode %v, %v", st.Mode(), err)
	}
	if names := files(t, s.dir); !slices.Equal(names, []string{"one.json"}) {
		t.Errorf("left beside the session: %v", names)
	}
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestNothingOnDiskBeforeTheFirstMessage(t *testing.T) {
	s := NewStore(filepath.Join(t.TempDir(), "sessions"))
	w := create(t, s, "one")
	w.SetPlan(nil)
	w.Close()
	if _, err := os.Stat(s.dir); err == nil {
		t.Errorf("there is %v", files(t, s.dir))
	}
}

// failed marks a call of a message that never returned.
func failed(m Message, call int) Message {
	m.Calls[call].Failed = true
	return m
}

// TestCutOff: what a killed mm leaves. The journal has what the file hasn't.
func TestCutOff(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(w *Writer)
		want []Message
	}{
		"after the question": {func(*Writer) {}, []Message{question("q"), answer(interrupted)}},
		"while two calls run": {func(w *Writer) {
			w.Pending(calls("c1", "c2"))
			w.Result(result("c2", "two"), calls("c2").Calls[0])
		}, []Message{question("q"), failed(calls("c1", "c2"), 0), result("c1", neverEnded), result("c2", "two"), answer(interrupted)}},
		"after a step": {func(w *Writer) {
			w.Pending(calls("c1"))
			w.Result(result("c1", "one"), calls("c1").Calls[0])
			w.Append(calls("c1"), result("c1", "one"))
		}, []Message{question("q"), calls("c1"), result("c1", "one"), answer(interrupted)}},
		"after the answer": {func(w *Writer) { w.Append(answer("a")) }, []Message{question("q"), answer("a")}},
		"saved while a call ran": {func(w *Writer) {
			w.Pending(calls("c1", "c2"))
			w.Flush()
			w.Result(result("c1", "one"), calls("c1").Calls[0])
			w.Flush()
		}, []Message{question("q"), failed(calls("c1", "c2"), 1), result("c1", "one"), result("c2", neverEnded), answer(interrupted)}},
		"compacted": {func(w *Writer) {
			w.Append(answer("a"), question("b"))
			w.Replace([]Message{question("q"), answer("summary"), question("b")}, "q")
			w.Append(answer("c"))
		}, []Message{question("q"), answer("summary"), question("b"), answer("c")}},
	} {
		for _, torn := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " torn:", torn), func(t *testing.T) {
				s := NewStore(t.TempDir())
				w := create(t, s, "one")
				w.Append(question("q"))
				c.do(w)
				here := copyOf(t, s) // as it is at this moment
				w.Append(answer("later"))
				w.Close()
				if torn {
					f, err := os.OpenFile(here.journal("one"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
					if err != nil {
						t.Fatal(err)
					}
					_, _ = f.WriteString(`{"seq":99,"messages":[{"role":"assis`)
					_ = f.Close()
				}
				w, f, err := here.Open("one", Options{Warn: func(err error) { t.Error(err) }})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, f.Messages, cmpopts.EquateEmpty()); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
				w.Append(question("go on"))
				again := copyOf(t, here)
				w.Close()
				if d := cmp.Diff(append(c.want, question("go on")), load(t, again, "one").Messages); d != "" {
					t.Errorf("after going on (-want +got):\n%s", d)
				}
			})
		}
	}
}

// copyOf copies a store as it is on disk, without its locks.
func copyOf(t *testing.T, s *Store) *Store {
	t.Helper()
	to := t.TempDir()
	names := files(t, s.dir)
	slices.SortFunc(names, func(a, b string) int { // the journal first: the file may be saved meanwhile
		return strings.Compare(filepath.Ext(a), filepath.Ext(b))
	})
	for _, n := range names {
		if strings.HasSuffix(n, ".lock") || strings.HasPrefix(n, ".") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(s.dir, n))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, n), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return NewStore(to)
}

func TestOneWriter(t *testing.T) {
	s := NewStore(t.TempDir())
	w := create(t, s, "one")
	w.Append(question("q"), answer("a"))
	_, _, err := s.Open("one", Options{})
	var used *InUseError
	if !errors.As(err, &used) || used.Pid != os.Getpid() || !strings.Contains(err.Error(), "session one is open in another mm (process ") {
		t.Errorf("a second writer: %v", err)
	}
	if err := s.Delete("one"); !errors.As(err, &used) {
		t.Errorf("deleting an open session: %v", err)
	}
	w.Close()
	w, _, err = s.Open("one", Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := s.Delete("one"); err != nil {
		t.Error(err)
	}
	if names := files(t, s.dir); len(names) != 0 {
		t.Errorf("left: %v", names)
	}
	if _, _, err := s.Open("one", Options{}); !errors.Is(err, ErrUnknown) {
		t.Errorf("a deleted session: %v", err)
	}
}

// TestBadFilesAreNamedAndLeftAlone writes files that aren't sessions, and asks for them.
func TestBadFilesAreNamedAndLeftAlone(t *testing.T) {
	s := NewStore(t.TempDir())
	w := create(t, s, "good")
	w.Append(question("q"), answer("a"))
	w.Close()
	whole, err := os.ReadFile(s.path("good"))
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{
		"empty":   "",
		"cut":     strings.ReplaceAll(string(whole[:len(whole)/2]), `"good"`, `"cut"`),
		"text":    "not JSON\n",
		"foreign": `{"name": "something else"}`,
		"other":   string(whole), // another session's id
		"list":    `[1, 2]`,
		"role":    `{"id":"role","cwd":"/","messages":[{"role":"system","content":"x"}]}`,
		"kind":    `{"id":"kind","cwd":"/","messages":[{"role":1}]}`,
	}
	for id, text := range bad {
		if err := os.WriteFile(s.path(id), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, damaged, err := s.List()
	if err != nil || len(list) != 1 || list[0].ID != "good" || list[0].Count != 2 {
		t.Errorf("%+v %v", list, err)
	}
	if len(damaged) != len(bad) {
		t.Errorf("%d damaged files, want %d: %v", len(damaged), len(bad), damaged)
	}
	for id, text := range bad {
		var e *BadFileError
		if _, err := s.Load(id); !errors.As(err, &e) || e.Path != s.path(id) || e.Reason == "" {
			t.Errorf("loading %s: %v", id, err)
		}
		if _, _, err := s.Open(id, Options{}); !errors.As(err, &e) {
			t.Errorf("opening %s: %v", id, err)
		}
		if err := s.Delete(id); !errors.As(err, &e) {
			t.Errorf("deleting %s: %v", id, err)
		}
		if got, err := os.ReadFile(s.path(id)); err != nil || string(got) != text {
			t.Errorf("%s was changed", id)
		}
	}
	// A new session whose file is there already writes nothing.
	var warned error
	w = s.Create(Info{ID: "text", Cwd: "/"}, Options{Warn: func(err error) { warned = err }})
	w.Append(question("q"))
	w.Close()
	if got, _ := os.ReadFile(s.path("text")); string(got) != "not JSON\n" || warned == nil {
		t.Errorf("%q %v", got, warned)
	}
	for _, id := range []string{"../x", "", "a/b", ".", "nope"} {
		if _, err := s.Load(id); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestListNewestAndFind(t *testing.T) {
	s := NewStore(t.TempDir())
	here, there := t.TempDir(), t.TempDir()
	at := time.Unix(1000, 0)
	make := func(id, cwd, parent string) {
		at = at.Add(time.Second)
		w := s.Create(Info{ID: id, Cwd: cwd, Parent: parent}, Options{Now: func() time.Time { return at }})
		w.Append(question("q"), answer("a"))
		w.Close()
	}
	make("aaa1", here, "")
	make("aaa2", there, "")
	make("bbb1", here, "aaa1")
	make("ccc1", here, "bbb1")
	list, _, err := s.List()
	if err != nil || len(list) != 4 || list[0].ID != "ccc1" || list[3].ID != "aaa1" {
		t.Errorf("%v %v", list, err)
	}
	if i, err := s.Newest(here); err != nil || i.ID != "aaa1" {
		t.Errorf("newest here: %q %v, want aaa1: the others belong to asked agents", i.ID, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(here, link); err != nil {
		t.Fatal(err)
	}
	if i, err := s.Newest(link); err != nil || i.ID != "aaa1" {
		t.Errorf("newest through a link: %q %v", i.ID, err)
	}
	if _, err := s.Newest("/nowhere"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
	if below, err := s.Below("aaa1"); err != nil || !slices.Equal(below, []string{"bbb1", "ccc1"}) {
		t.Errorf("%v %v", below, err)
	}
	if id, err := s.Find("bb"); err != nil || id != "bbb1" {
		t.Errorf("%q %v", id, err)
	}
	if _, err := s.Find("aaa"); err == nil || !strings.Contains(err.Error(), "aaa1") || !strings.Contains(err.Error(), "aaa2") {
		t.Errorf("%v", err)
	}
	if _, err := s.Find("zzz"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
}

// TestDeleteAll: nothing is left that nobody could find, and nothing that is open is taken away.
func TestDeleteAll(t *testing.T) {
	s := NewStore(t.TempDir())
	begin := func(id, parent string) *Writer {
		w := s.Create(Info{ID: id, Cwd: "/", Parent: parent}, Options{})
		w.Append(question("q"), answer("a"))
		w.Flush()
		return w
	}
	begin("top", "").Close()
	begin("jan", "top").Close()
	open := begin("homer", "jan")
	begin("other", "").Close()
	var used *InUseError
	if below, err := s.DeleteAll("top"); !errors.As(err, &used) || used.ID != "homer" {
		t.Errorf("%v %v", below, err)
	}
	load(t, s, "top")
	open.Close()
	if _, err := s.DeleteAll("top"); err != nil {
		t.Error(err)
	}
	begin("orphan", "top").Close()
	if below, err := s.DeleteAll("top"); !errors.Is(err, ErrUnknown) || !slices.Equal(below, []string{"orphan"}) {
		t.Errorf("%v %v", below, err)
	}
	if list, _, err := s.List(); err != nil || len(list) != 1 || list[0].ID != "other" {
		t.Errorf("%v %v", list, err)
	}
}

func TestArchive(t *testing.T) {
	s := NewStore(t.TempDir())
	w := create(t, s, "one")
	if id, err := w.Archive(); id != "" || err != nil {
		t.Errorf("%q %v", id, err)
	}
	w.Append(question("q"), answer("a"))
	asked := s.Create(Info{ID: "asked", Cwd: "/", Parent: "one"}, Options{})
	asked.Append(question("q"), answer("a"))
	asked.Close()
	id, err := w.Archive()
	if err != nil || id == "" || id == "one" {
		t.Fatalf("%q %v", id, err)
	}
	if f := load(t, s, id); len(f.Messages) != 2 {
		t.Errorf("%+v", f)
	}
	if below, err := s.Below(id); err != nil || !slices.Equal(below, []string{"asked"}) {
		t.Errorf("the agent that it asked is left behind: %v %v", below, err)
	}
	if _, err := s.Load("one"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
	w.Append(question("new"), answer("b"))
	w.Close()
	if f := load(t, s, "one"); len(f.Messages) != 2 || f.Messages[0].Content != "new" {
		t.Errorf("%+v", f)
	}
}

// TestAtMostEvery250ms counts how often the file is replaced while messages come quickly.
func TestAtMostEvery250ms(t *testing.T) {
	s := NewStore(t.TempDir())
	w := create(t, s, "one")
	defer w.Close()
	w.Append(question("q"))
	var last os.FileInfo
	seen := 0
	start := time.Now()
	for time.Since(start) < 2*saveEvery {
		w.Append(answer("a"), question("q"))
		st, err := os.Stat(s.path("one"))
		if err != nil {
			t.Fatal(err)
		}
		if last == nil || !os.SameFile(st, last) {
			seen++
		}
		last = st
	}
	if most := 2 + int(time.Since(start)/saveEvery); seen > most {
		t.Errorf("written %d times, want at most %d", seen, most)
	}
}

// TestReadersOfAnOpenSession: a session can be read while it is written, and is always whole.
func TestReadersOfAnOpenSession(t *testing.T) {
	s := NewStore(t.TempDir())
	w := create(t, s, "one")
	w.Append(question("0"))
	var readers sync.WaitGroup
	done := make(chan struct{})
	readers.Go(func() {
		least := 0
		for {
			f, err := s.Load("one")
			if err != nil {
				t.Error(err)
				return
			}
			if len(f.Messages) < least {
				t.Errorf("%d messages after %d were read", len(f.Messages), least)
				return
			}
			least = len(f.Messages)
			select {
			case <-done:
				return
			default:
			}
		}
	})
	for i := range 300 {
		w.Append(answer(fmt.Sprint(i)))
		if i%10 == 0 {
			w.Flush()
		}
	}
	close(done)
	readers.Wait()
	w.Close()
}

func TestExport(t *testing.T) {
	f := &File{Info: Info{ID: "one", Title: "a title", Cwd: "/work", Model: "m", Provider: "p", Created: time.Unix(0, 0).UTC(), Updated: time.Unix(60, 0).UTC()},
		Messages: []Message{question("what?"), calls("c1"), result("c1", "has ```` fence"), answer("**this**")},
		Plan:     &Plan{Steps: []Step{{"look", "completed"}, {"do", "in_progress"}}},
		Errors:   []Fault{{time.Unix(30, 0).UTC(), "watchdog", "[error: silence]"}}}
	want := "# a title\n\n- session: one\n- model: m @ p\n- folder: /work\n- begun: 1970-01-01T00:00:00Z\n- last change: 1970-01-01T00:01:00Z\n" +
		"\n## Question\n\nwhat?\n\n### bash\n\n```\necho <&>\n```\n\n`````\nhas ```` fence\n`````\n\n## Answer\n\n**this**\n" +
		"\n## Plan\n\n- [x] look\n- [ ] do (at work)\n\n## Errors\n\n- 1970-01-01T00:00:30Z, watchdog: [error: silence]\n"
	if d := cmp.Diff(want, f.Markdown()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	b, err := f.JSON()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "one.json")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	back, err := decode(path, "one") // an export can be put back
	if err != nil || !cmp.Equal(back.Messages, f.Messages) || !bytes.Contains(b, []byte(`"command\":\"echo <&>`)) {
		t.Errorf("%v %s", err, b)
	}
}
