package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxPublished bounds of how many files the diagnostics are kept.
const maxPublished = 20_000

// published is the last that a server published of a file.
type published struct {
	list    []diagnostic
	version *int
	number  int // counts publications of the connection
}

// publish keeps diagnostics.
func (c *conn) publish(p publishDiagnostics) {
	path, ok := toPath(p.URI)
	if !ok {
		return
	}
	c.update(func() {
		_, known := c.published[path]
		if !known && len(c.published) >= maxPublished {
			return
		}
		c.count++
		c.published[path] = published{p.Diagnostics, p.Version, c.count}
	})
}

func (c *conn) publications() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

// lastLocked returns what was last published of a document. mu must be held.
func (c *conn) lastLocked(d *document) (p published, ok bool) {
	if p, ok = c.published[d.path]; !ok {
		p, ok = c.published[d.real] // servers may name the file behind a link
	}
	return p, ok
}

// freshLocked returns what was published of a document after the n-th publication, for its present
// version where the server names one. mu must be held.
func (c *conn) freshLocked(d *document, n int) (p published, ok bool) {
	p, ok = c.lastLocked(d)
	return p, ok && p.number > n && (p.version == nil || *p.version >= d.version)
}

// diagnose tells the server of the file's present text and waits for what it publishes. After a
// publication there may be more of it: some servers publish the syntax first and the rest later.
func (c *conn) diagnose(ctx context.Context, q request) (string, error) {
	since := c.publications()
	d, told, err := c.open(ctx, q.path)
	if err != nil {
		return "", err
	}
	if err := c.settle(ctx, d); err != nil {
		return "", err
	}
	if !told {
		since = d.sent // nothing will come that hasn't come
	}
	end := time.Now().Add(c.limits.publish)
	var p published
	fresh, err := c.await(ctx, c.limits.publish, func() (ok bool) { p, ok = c.freshLocked(d, since); return ok })
	for more := fresh && told; more && err == nil; {
		pause := c.limits.settle
		if len(p.list) == 0 {
			pause = c.limits.clean
		}
		since = p.number
		more, err = c.await(ctx, min(pause, time.Until(end)), func() bool {
			next, ok := c.freshLocked(d, since)
			if ok {
				p = next
			}
			return ok
		})
	}
	if err != nil {
		return "", err
	}
	return c.report(q, d, p, fresh, told), nil
}

// report words diagnostics, in one of the four ways of tools.fr.md.
func (c *conn) report(q request, d *document, p published, fresh, told bool) string {
	note := ""
	if !fresh {
		c.mu.Lock()
		last, ok := c.lastLocked(d)
		c.mu.Unlock()
		switch {
		case !ok:
			return fmt.Sprintf("no diagnostics received for %s within %s (the server may still be at work: call again, or run the compiler)", q.name, c.limits.publish)
		case last.number <= d.sent || last.version != nil && *last.version < d.version:
			note = fmt.Sprintf(" (as published before its last change: nothing newer came within %s)", c.limits.publish)
		}
		p = last
	}
	if note == "" && (!fresh || !told) {
		note = " (as last published)"
	}
	if len(p.list) == 0 {
		return fmt.Sprintf("no diagnostics: %s is clean%s", q.name, note)
	}
	list := slices.Clone(p.list)
	slices.SortStableFunc(list, func(a, b diagnostic) int { return compare(a.Range.Start, b.Range.Start) })
	lines := []string{fmt.Sprintf("%d diagnostic(s) in %s%s:", len(list), q.name, note)}
	for _, x := range list {
		line := fmt.Sprintf("%s %s:%d:%d %s", severity(x.Severity), q.name, x.Range.Start.Line+1, d.text.column(x.Range.Start), oneLine(x.Message))
		if x.Source != "" {
			line += " [" + x.Source + "]"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func severity(n int) string {
	switch n {
	case 2:
		return "warning"
	case 3:
		return "info"
	case 4:
		return "hint"
	}
	return "error"
}

func compare(a, b position) int {
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Character - b.Character
}

// oneLine is text without line ends and repeated blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
