package session

import "time"

// saveEvery is how often a file is written at most, beside Flush.
const saveEvery = 250 * time.Millisecond

// saveShare keeps a large session from being written all the time: a save that took long is
// followed by this many times as long without one.
const saveShare = 10

// gather is how long the saver waits for more before it writes what nobody waits for.
const gather = 50 * time.Millisecond

// Save saves soon, at the end of a turn: the journal has everything already, so nobody waits.
func (w *Writer) Save() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if (w.begun || w.behind) && !w.closed {
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
		if w.behind && !w.rest(gather) {
			return
		}
		start := time.Now()
		w.Flush()
		if !w.rest(max(saveEvery, saveShare*time.Since(start))) {
			return
		}
	}
}

// rest lets time go by; false means that the session ends before.
func (w *Writer) rest(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-w.quit:
		return false
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
	snapshot := w.snapshot()
	w.mu.Unlock()
	err := w.store.write(&snapshot, !w.behind)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.dirty = true
		w.failed(err)
		return
	}
	w.worked()
	w.clear(snapshot.Saved)
	w.noteHeld(snapshot.Saved)
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
