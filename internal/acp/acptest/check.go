package acptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// Checker checks the frames of one connection, both ways, and keeps them.
type Checker struct {
	// OnlyAgent leaves frames of the client unchecked, for tests that send odd ones on purpose.
	OnlyAgent bool
	// Foreign is for agents other than mm: what only mm promises isn't asked of them.
	Foreign bool

	t      testing.TB
	schema *Schema

	mu      sync.Mutex
	open    map[string]string // method of a request without its response, by sender and id; guarded by mu
	rules   *rules            // guarded by mu
	frames  []Frame           // guarded by mu
	changed chan struct{}     // closed and replaced when frames grow; guarded by mu
	ended   bool              // the test has ended; guarded by mu
}

// Frame is a line that went over the connection.
type Frame struct {
	FromAgent bool
	Data      string
}

// String shows who sent the frame.
func (f Frame) String() string {
	if f.FromAgent {
		return "agent:  " + f.Data
	}
	return "client: " + f.Data
}

// NewChecker makes a Checker that reports to t. Where there is no schema it says so by a skipped
// subtest.
func NewChecker(t testing.TB) *Checker {
	t.Helper()
	c := &Checker{t: t, open: map[string]string{}, rules: newRules(), changed: make(chan struct{})}
	schema, err := LoadSchema()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if t, ok := t.(*testing.T); ok {
			t.Run("schema", func(t *testing.T) { t.Skip(NoSchema) })
		}
	case err != nil:
		t.Fatal(err)
	}
	c.schema = schema
	t.Cleanup(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ended = true
	})
	return c
}

// Check checks one frame, given without its newline, and keeps it. It may be called by several
// goroutines.
func (c *Checker) Check(frame []byte, fromAgent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	f := Frame{fromAgent, string(frame)}
	c.frames = append(c.frames, f)
	close(c.changed)
	c.changed = make(chan struct{})
	err := c.checkLocked(frame, fromAgent)
	switch {
	case err == nil:
	case fromAgent || !c.OnlyAgent:
		c.t.Errorf("acptest: bad frame: %v\n%s", err, clip(f.String()))
	default:
		c.oddLocked(frame)
	}
}

// expect notes a client's request that wasn't checked.
func (c *Checker) expect(id, method string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[openKey(false, json.RawMessage(id))] = method
}

// oddLocked notes that a client's odd frame with an id may be answered.
func (c *Checker) oddLocked(frame []byte) {
	var e struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(frame, &e) == nil && e.ID != nil {
		if key := openKey(false, e.ID); c.open[key] == "" {
			c.open[key] = ""
		}
	}
}

func clip(s string) string {
	if len(s) > 2000 {
		return s[:2000] + "…"
	}
	return s
}

// Frames returns what went over the connection so far.
func (c *Checker) Frames() []Frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Frame(nil), c.frames...)
}

// envelope is a JSON-RPC message.
type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

func (c *Checker) checkLocked(frame []byte, fromAgent bool) error {
	if !utf8.Valid(frame) {
		return errors.New("not UTF-8")
	}
	var e envelope
	dec := json.NewDecoder(bytes.NewReader(frame))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return fmt.Errorf("no JSON-RPC message: %w", err)
	}
	if dec.More() {
		return errors.New("more than one value in a line")
	}
	switch {
	case e.Version != "2.0":
		return errors.New(`jsonrpc isn't "2.0"`)
	case e.Method != nil && (e.Result != nil || e.Error != nil):
		return errors.New("a method beside a result or error")
	case e.Method != nil:
		return errors.Join(c.checkCallLocked(e, fromAgent), c.ruled(c.rules.call(*e.Method, e.ID, e.Params, fromAgent)))
	case (e.Result == nil) == (e.Error == nil):
		return errors.New("a response needs a result or an error, and not both")
	case !hasKey(frame, "id"):
		return errors.New("a response without an id")
	}
	return c.checkResponseLocked(e, fromAgent)
}

func hasKey(frame []byte, key string) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(frame, &m) == nil && m[key] != nil
}

// checkCallLocked checks a request or notification.
func (c *Checker) checkCallLocked(e envelope, fromAgent bool) error {
	method := *e.Method
	if e.ID != nil {
		if err := c.validate("RequestId", e.ID); err != nil {
			return err
		}
		key := openKey(fromAgent, e.ID)
		if _, ok := c.open[key]; ok {
			return fmt.Errorf("id %s is in use", e.ID)
		}
		c.open[key] = method
	}
	if strings.HasPrefix(method, "_") || c.schema == nil || c.OnlyAgent && !fromAgent {
		return nil
	}
	name, ok := c.schema.TypeOf(method, false, !fromAgent)
	if !ok {
		return fmt.Errorf("unknown method %s", method)
	}
	if isRequest := !strings.HasSuffix(name, "Notification"); isRequest != (e.ID != nil) {
		return fmt.Errorf("%s must be a request: %t", method, isRequest)
	}
	params := e.Params
	if params == nil {
		params = json.RawMessage("{}")
	}
	return c.validate(name, params)
}

func (c *Checker) checkResponseLocked(e envelope, fromAgent bool) error {
	key := openKey(!fromAgent, e.ID)
	method, ok := c.open[key]
	delete(c.open, key)
	var broken error
	if ok && fromAgent {
		broken = c.ruled(c.rules.response(method, e.ID, e.Result))
	}
	return errors.Join(c.checkBody(e, method, ok, fromAgent), broken)
}

// ruled makes an error of what the rules found.
func (c *Checker) ruled(fault string) error {
	if fault == "" || c.Foreign {
		return nil
	}
	return errors.New(fault)
}

// checkBody checks what a response to a method brings; open says whether there was such a request.
func (c *Checker) checkBody(e envelope, method string, open, fromAgent bool) error {
	if e.Error != nil {
		return c.checkError(e, open)
	}
	if !open {
		return fmt.Errorf("an answer to %s, which isn't open", e.ID)
	}
	if strings.HasPrefix(method, "_") || c.schema == nil {
		return nil
	}
	name, ok := c.schema.TypeOf(method, true, fromAgent)
	if !ok {
		return nil
	}
	return c.validate(name, e.Result)
}

func (c *Checker) checkError(e envelope, open bool) error {
	if !open && string(e.ID) != "null" {
		return fmt.Errorf("an error for %s, which isn't open", e.ID)
	}
	var body struct {
		Message string `json:"message"`
	}
	if err := json.Unmarshal(e.Error, &body); err != nil {
		return err
	}
	return errors.Join(oneLine(body.Message), c.validate("Error", e.Error))
}

// validate holds a value against a type of the schema, if there is one.
func (c *Checker) validate(name string, value []byte) error {
	if c.schema == nil {
		return nil
	}
	if err := c.schema.Check(name, value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func openKey(fromAgent bool, id json.RawMessage) string {
	if fromAgent {
		return "agent " + string(id)
	}
	return "client " + string(id)
}
