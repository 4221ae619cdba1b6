package session

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// saveEvery is how often a file is written at most, beside Flush.
const saveEvery = 250 * time.Millisecond

// saveShare keeps a large session from being written all the time: a save that took long is
// followed by this many times as long without one.
const saveShare = 10

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

	mu      sync.Mutex
	file    File     // guarded by mu; its messages are only ever appended or replaced as a whole
	step    step     // guarded by mu
	journal *os.File // guarded by mu; nil until the file is there
	torn    bool     // guarded by mu: a line of the journal is cut, nothing behind it would count
	dirty   bool     // guarded by mu: the file on disk is older
	warned  bool     // guarded by mu
	begun   bool     // guarded by mu: the file is there
	lock    *lock    // guarded by mu
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
	w.file.Saved++
	e.Seq = w.file.Saved
	w.file.apply(e, &w.step)
	w.dirty = true
	if len(w.file.Messages) == 0 && !w.begun {
		return // nothing was said yet
	}
	if !w.begun {
		w.begin()
		return
	}
	w.note(e)
	w.wake()
}

// lasting reports whether saves wait for the disk. What an asked agent was asked and answered stands
// in its asker's session, which does; each ask would wait for the disk twice otherwise.
func (w *Writer) lasting() bool { return w.file.Parent == "" }

// begin makes the file with the first message; it comes before the first line of a journal.
func (w *Writer) begin() {
	now := w.o.now()
	if err := w.store.prepare(now); err != nil {
		w.failed(err)
		return
	}
	if w.lock == nil {
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
	snapshot := w.file
	if err := w.store.write(&snapshot, w.lasting()); err != nil {
		w.failed(err)
		return
	}
	w.begun, w.dirty = true, false
	w.worked()
}

// write puts a file in its place on disk.
func (s *Store) write(f *File, lasting bool) error {
	return writeAtomically(s.path(f.ID), lasting, func(t *os.File) error { return f.encode(t) })
}

// note writes a line at the end of the journal.
func (w *Writer) note(e *entry) {
	if w.torn {
		return // until the next save, which has it all
	}
	b, err := marshal(e)
	if err == nil && w.journal == nil {
		w.journal, err = os.OpenFile(w.store.journal(w.file.ID), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	}
	if err == nil {
		_, err = w.journal.Write(append(b, '\n'))
	}
	if err != nil {
		w.torn = true
		w.failed(err)
	}
}

// Save saves soon, at the end of a turn: the journal has everything already, so nobody waits.
func (w *Writer) Save() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun && !w.closed {
		w.wake()
	}
}

// wake lets the saver save soon; the first call starts it.
func (w *Writer) wake() {
	select {
	case w.kick <- struct{}{}:
	default:
	}
	if !w.running {
		w.running = true
		w.saver.Go(w.save)
	}
}

// save is the saver: it saves after a change, and not again too soon.
func (w *Writer) save() {
	for {
		select {
		case <-w.kick:
		case <-w.quit:
			return
		}
		start := time.Now()
		w.Flush()
		rest := time.NewTimer(max(saveEvery, saveShare*time.Since(start)))
		select {
		case <-rest.C:
		case <-w.quit:
			rest.Stop()
			return
		}
	}
}

// Flush saves now, if something has changed, and returns when it is on disk.
func (w *Writer) Flush() {
	w.saving.Lock()
	defer w.saving.Unlock()
	w.mu.Lock()
	if !w.dirty {
		w.mu.Unlock()
		return
	}
	if !w.begun {
		if len(w.file.Messages) > 0 {
			w.begin() // the disk may take it by now
		}
		w.mu.Unlock()
		return
	}
	w.file.Updated = w.o.now()
	w.dirty = false
	snapshot := w.file // the messages and errors that it has now never change
	if w.step.message != nil {
		snapshot.Saved = w.step.from - 1 // what a step at work has so far stays in the journal
	}
	w.mu.Unlock()
	err := w.store.write(&snapshot, snapshot.Parent == "")
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.dirty = true
		w.failed(err)
		return
	}
	w.worked()
	w.clear(snapshot.Saved)
}

// clear empties the journal, if all that it says is in the file.
func (w *Writer) clear(saved int64) {
	if saved != w.file.Saved || w.step.message != nil {
		return
	}
	if w.journal != nil && w.journal.Truncate(0) == nil || w.journal == nil {
		w.torn = false
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
	w.file, w.step = File{Info: info}, step{}
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
