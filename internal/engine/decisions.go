package engine

import (
	"fmt"
	"strings"
	"sync"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// decisions records what is decided about calls: in the audit file, for the front end, and in the
// log. It also sees what agents below refuse by themselves, which no gate here is asked about.
type decisions struct {
	file  *consent.AuditFile               // may be nil
	front consent.Auditor                  // may be nil
	sink  ui.Sink                          // may be nil
	trace func(format string, args ...any) // may be nil
	seen  func(ui.Event)                   // sees every event

	mu      sync.Mutex
	refused map[string]bool // guarded by mu: calls that were refused here and haven't ended, by id
}

// Record passes a decision on (consent.Auditor).
func (d *decisions) Record(r consent.Request, c consent.Decision) {
	if !c.Allow && r.Agent != "" {
		d.mu.Lock()
		d.refused[r.ID] = true
		d.mu.Unlock()
	}
	if d.trace != nil {
		by := ""
		if c.By != "" {
			by = " by " + string(c.By)
		}
		d.trace("%s (%s): %s%s", r.Key(), short(r.Title), c.Word(), by)
	}
	if d.file != nil {
		d.file.Record(r, c)
	}
	if d.front != nil {
		d.front.Record(r, c)
	}
}

// Emit passes an event on (ui.Sink). The end of a call that a hook below has denied is a decision too.
func (d *decisions) Emit(e ui.Event) {
	if t, ok := e.(ui.ToolCall); ok && t.Agent != "" && t.Done() {
		d.mu.Lock()
		known := d.refused[t.ID]
		delete(d.refused, t.ID)
		d.mu.Unlock()
		if reason, denied := strings.CutPrefix(t.Refused, deniedByHook); denied && !known {
			d.Record(consent.Request{Call: t.Call}, consent.Decision{By: consent.ByHook, Reason: reason})
		}
	}
	d.seen(e)
	if d.sink != nil {
		d.sink.Emit(e)
	}
}

// deniedByHook begins the reason of a call that a hook denied.
const deniedByHook = "denied by a hook: "

// open logs the table of open requests: who wants what, since when.
func (d *decisions) open(list []consent.Open) {
	if d.trace == nil {
		return
	}
	var b strings.Builder
	for _, o := range list {
		fmt.Fprintf(&b, "; %s (%s) since %s", o.Key(), short(o.Title), o.Since.Format("15:04:05.000"))
	}
	d.trace("%d permission request(s) open%s", len(list), b.String())
}

// short is a title for a log line.
func short(title string) string {
	if len(title) > maxTitle {
		title = strings.ToValidUTF8(title[:maxTitle], "") + "…"
	}
	return ui.CleanLine(title)
}

// maxTitle bounds a title in the log, in bytes.
const maxTitle = 200
