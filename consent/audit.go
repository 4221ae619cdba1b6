package consent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// AuditFile appends one JSON object a line for each decision (supplement 5 and 16). The file is
// only ever appended to and has mode 0600; several processes may share it, since each line is one
// write. A line that was cut, since the process that wrote it was killed, stays alone.
type AuditFile struct {
	session string
	now     func() time.Time
	failed  func(error)

	mu sync.Mutex
	f  *os.File // guarded by mu
}

// OpenAudit opens or creates the audit file at path. Records carry the session's id; failed is
// told once when a record can't be written (a full disk), and may be nil.
func OpenAudit(path, session string, failed func(error)) (*AuditFile, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrPermission) { // a file that may only be added to
		f, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the audit file: %w", err)
	}
	a := &AuditFile{session: session, now: time.Now, f: f, failed: func(error) {}}
	if failed != nil {
		var once sync.Once
		a.failed = func(err error) { once.Do(func() { failed(err) }) }
	}
	return a, nil
}

// auditLine is one record. Fields are only ever added.
type auditLine struct {
	Time     string `json:"time"`
	Session  string `json:"session"`
	Key      string `json:"key"`
	Title    string `json:"title"`
	Input    string `json:"input_sha256"`
	Decision string `json:"decision"` // allow, reject or cancelled
	By       string `json:"by"`
	Waited   int64  `json:"waited_ms"`
	Kept     bool   `json:"for_session,omitempty"` // the answer is remembered
}

// Record appends a decision.
func (a *AuditFile) Record(r Request, d Decision) {
	sum := sha256.Sum256(r.Input)
	line, err := json.Marshal(auditLine{
		Time:     a.now().UTC().Format(time.RFC3339Nano),
		Session:  a.session,
		Key:      r.Key(),
		Title:    r.Title,
		Input:    hex.EncodeToString(sum[:]),
		Decision: d.Word(),
		By:       string(d.By),
		Waited:   d.Waited.Milliseconds(),
		Kept:     d.Session,
	})
	if err == nil {
		a.mu.Lock()
		_, err = a.f.Write(a.line(line))
		a.mu.Unlock()
	}
	if err != nil {
		a.failed(fmt.Errorf("writing the audit file: %w", err))
	}
}

// line is what is appended for a record: a line of its own, also behind one that was cut.
func (a *AuditFile) line(record []byte) []byte {
	record = append(record, '\n')
	info, err := a.f.Stat()
	if err != nil || info.Size() == 0 {
		return record
	}
	var last [1]byte
	if _, err := a.f.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return record // or a pipe, or a file that can't be read
	}
	return append([]byte{'\n'}, record...)
}

// Close closes the file.
func (a *AuditFile) Close() error { return a.f.Close() }

// Word is the decision in one word: allow, reject or cancelled.
func (d Decision) Word() string {
	switch {
	case d.Allow:
		return "allow"
	case d.Cancelled:
		return "cancelled"
	}
	return "reject"
}
