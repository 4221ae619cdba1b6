package session

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// Options configure a Writer.
type Options struct {
	// Warn is told once that a session can't be saved, and again when it could be saved since. May
	// be nil.
	Warn func(error)
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// Writer is an open session. Its methods may be called by several goroutines; changes are kept in
// the order of the calls. They never fail: what can't be saved is told to Warn.
type Writer struct {
	store *Store
	o     Options
	// behind says that nobody waits for the disk: the saver writes all of it beside the work. So it is
	// with an asked agent's session, since what that was asked and answered stands in its asker's. Most
	// asks are written once, when they have been answered.
	behind bool

	mu      sync.Mutex
	file    File     // guarded by mu; its messages are only ever appended or replaced as a whole
	step    step     // guarded by mu
	held    []*entry // guarded by mu: of the step, and not in the journal yet (behind)
	noted   int64    // guarded by mu: the number of the journal's last line
	journal *os.File // guarded by mu; nil until the file is there
	torn    bool     // guarded by mu: a line of the journal is cut, nothing behind it would count
	dirty   bool     // guarded by mu: the file on disk is older
	warned  bool     // guarded by mu
	begun   bool     // guarded by mu: the file is there
	lock    *lock    // guarded by mu
	ending  bool     // guarded by mu: Close writes what is left
	closed  bool     // guarded by mu

	running bool // guarded by mu: the saver

	saving sync.Mutex    // held while the file is written
	kick   chan struct{} // wakes the saver; made with it
	quit   chan struct{}
	saver  sync.WaitGroup
}

func newWriter(s *Store, f File, o Options) *Writer {
	return &Writer{store: s, o: o, file: f, kick: make(chan struct{}, 1), quit: make(chan struct{})}
}

// Info is what is known of the session now.
func (w *Writer) Info() Info {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := w.file.Info
	i.Count = len(w.file.Messages)
	return i
}

// Append adds messages; together they complete the step that Pending began, if there is one.
func (w *Writer) Append(m ...Message) {
	w.change(&entry{Messages: slices.Clone(m)})
}

// Pending notes an assistant's message whose calls run now.
func (w *Writer) Pending(m Message) { w.change(&entry{Pending: &m}) }

// Shown notes how a call of the pending message is shown, before it runs.
func (w *Writer) Shown(c Call) { w.change(&entry{Call: &c}) }

// Result notes what a call of the pending message returned, and how it was shown.
func (w *Writer) Result(m Message, c Call) { w.change(&entry{Result: &m, Call: &c}) }

// Replace puts another conversation in the place of this one. task is the first question.
func (w *Writer) Replace(m []Message, task string) {
	list := append([]Message{}, m...)
	w.change(&entry{Replace: &list, Task: &task})
}

// SetTask keeps the first question.
func (w *Writer) SetTask(task string) { w.change(&entry{Task: &task}) }

// SetPlan keeps the plan; nil for none.
func (w *Writer) SetPlan(p *Plan) { w.change(&entry{Plan: p, PlanGone: p == nil}) }

// Fault notes an error that ended a turn.
func (w *Writer) Fault(f Fault) { w.change(&entry{Fault: &f}) }

// Update changes what the next save writes at the beginning of the file, and the usage.
func (w *Writer) Update(change func(*Info, *Usage)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.file.Info, &w.file.Usage)
	w.dirty = true
}

// change keeps one change: in memory, at the end of the journal, and soon in the file.
func (w *Writer) change(e *entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	if w.behind && len(w.file.Messages) == 0 {
		w.file.Created = w.o.now() // it may have been made ahead of the ask
	}
	w.file.Saved++
	e.Seq = w.file.Saved
	w.file.apply(e, &w.step)
	w.dirty = true
	if len(w.file.Messages) == 0 && !w.begun {
		return // nothing was said yet
	}
	if w.behind {
		w.hold(e)
		w.wake()
		return
	}
	if !w.begun {
		w.begin()
		return
	}
	w.note(e)
	w.wake()
}

// hold keeps an entry of a step at work for the journal that the saver writes.
func (w *Writer) hold(e *entry) {
	if w.step.message == nil {
		w.held = nil // the file will have it
		return
	}
	w.held = append(w.held, e)
}

// noteHeld writes what was held into the journal, behind a file that has all up to saved. What doesn't
// follow on that waits for the next save.
func (w *Writer) noteHeld(saved int64) {
	if len(w.held) > 0 && w.held[0].Seq <= max(saved, w.noted)+1 {
		w.note(w.held...)
		w.held = nil
	}
}

// begin makes the file with the first message; it comes before the first line of a journal.
func (w *Writer) begin() {
	now := w.o.now()
	if err := w.store.prepare(now); err != nil {
		w.failed(err)
		return
	}
	if w.lock == nil && !(w.behind && w.ending) { // nobody else can want what is written only once
		l, err := w.store.take(w.file.ID)
		if err != nil {
			w.failed(err)
			return
		}
		w.lock = l
	}
	if _, err := os.Lstat(w.store.path(w.file.ID)); err == nil {
		w.failed(fmt.Errorf("%s is there already and is left alone", w.store.path(w.file.ID)))
		return
	}
	w.file.Updated = now
	snapshot := w.snapshot()
	if err := w.store.write(&snapshot, !w.behind); err != nil {
		w.failed(err)
		return
	}
	w.begun, w.dirty = true, false
	w.worked()
	w.noteHeld(snapshot.Saved)
}

// snapshot is the session as the file has it: what a step at work has so far stays in the journal.
// The messages and errors that it has now never change.
func (w *Writer) snapshot() File {
	f := w.file
	if w.step.message != nil {
		f.Saved = w.step.from - 1
	}
	return f
}

// write puts a file in its place on disk.
func (s *Store) write(f *File, lasting bool) error {
	return writeAtomically(s.path(f.ID), lasting, func(t *os.File) error { return f.encode(t) })
}

// note writes lines at the end of the journal.
func (w *Writer) note(list ...*entry) {
	if w.torn {
		return // until the next save, which has it all
	}
	var lines []byte
	var err error
	for _, e := range list {
		var b []byte
		if b, err = marshal(e); err != nil {
			break
		}
		lines = append(append(lines, b...), '\n')
	}
	if err == nil && w.journal == nil {
		w.journal, err = os.OpenFile(w.store.journal(w.file.ID), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	}
	if err == nil {
		_, err = w.journal.Write(lines)
		w.noted = list[len(list)-1].Seq
	}
	if err != nil {
		w.torn = true
		w.failed(err)
	}
}

// Archive moves the conversation so far to a session of its own, whose id it returns, and begins
// anew: "" when nothing was said.
func (w *Writer) Archive() (id string, err error) {
	w.saving.Lock()
	defer w.saving.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.file.Messages) > 0 {
		kept := w.file
		kept.ID, kept.Saved = NewID(), 0
		kept.Updated = w.o.now()
		if err := w.store.prepare(kept.Updated); err != nil {
			return "", err
		}
		if err := w.store.write(&kept, true); err != nil {
			return "", fmt.Errorf("keeping the conversation so far: %w", err)
		}
		id = kept.ID
		w.store.adopt(w.file.ID, id)
	}
	if w.begun {
		_ = os.Remove(w.store.path(w.file.ID))
		_ = os.Remove(w.store.journal(w.file.ID))
	}
	if w.journal != nil {
		_ = w.journal.Close()
		w.journal = nil
	}
	info := w.file.Info
	info.Title, info.Created, info.Saved = "", w.o.now(), 0
	w.file, w.step, w.held = File{Info: info}, step{}, nil
	w.noted = 0
	w.begun, w.dirty, w.torn = false, false, false
	return id, nil
}

// failed warns that the session isn't on disk, once.
func (w *Writer) failed(err error) {
	if w.warned {
		return
	}
	w.warned = true
	if w.o.Warn != nil {
		w.o.Warn(fmt.Errorf("this conversation can't be saved and goes on without: %w", err))
	}
}

// worked notes that it is.
func (w *Writer) worked() { w.warned = false }

// Close saves what is left, and gives the session free.
func (w *Writer) Close() {
	close(w.quit)
	w.saver.Wait()
	w.mu.Lock()
	w.ending = true
	w.mu.Unlock()
	w.Flush()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.journal != nil {
		_ = w.journal.Close()
		if !w.dirty && w.step.message == nil {
			_ = os.Remove(w.store.journal(w.file.ID))
		}
	}
	if w.lock != nil {
		w.lock.drop()
	}
}
