package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mini-me/mm/tools"
)

// maxSourceLine bounds the source line that stands behind a place, in characters.
const maxSourceLine = 200

// spot is a place, ready to be sorted and shown.
type spot struct {
	path string // absolute; of a place that is in no file its URI
	name string // as shown
	at   position
	file bool
}

// locate answers definition and references.
func (c *conn) locate(ctx context.Context, q request, d *document) (string, error) {
	var found places
	err := c.find(ctx, q, d, func(p position) (bool, error) {
		found = nil
		params := positionParams{TextDocument: documentID{d.uri}, Position: p}
		if q.action == references {
			params.Context = &referenceContext{IncludeDeclaration: true}
		}
		err := c.ask(ctx, d, "textDocument/"+q.action, params, &found)
		return len(found) > 0, err
	})
	if err != nil {
		return "", err
	}
	spots := spotsOf(found, q.root)
	lines := sourceLines(ctx, spots)
	if q.action == references {
		lines = append([]string{fmt.Sprintf("%d reference(s):", len(spots))}, lines...)
	}
	return strings.Join(lines, "\n") + c.unfinished(), nil
}

// spotsOf sorts places by path and position and drops those that are there twice.
func spotsOf(list places, root string) []spot {
	var spots []spot
	for _, p := range list {
		uri, r := p.location()
		s := spot{path: uri, name: uri, at: r.Start}
		if path, ok := toPath(uri); ok {
			s.path, s.name, s.file = path, shown(root, path), true
		}
		spots = append(spots, s)
	}
	slices.SortFunc(spots, func(a, b spot) int {
		if n := strings.Compare(a.name, b.name); n != 0 {
			return n
		}
		return compare(a.at, b.at)
	})
	return slices.CompactFunc(spots, func(a, b spot) bool { return a.name == b.name && a.at == b.at })
}

// sourceLines writes a line "path:line:column source line" for each place.
func sourceLines(ctx context.Context, spots []spot) []string {
	var path string
	var t *text
	lines := make([]string, 0, len(spots))
	for _, s := range spots {
		if s.file && s.path != path {
			path, t = s.path, newText("")
			if data, err := (tools.Disk{}).ReadFile(ctx, path); err == nil {
				t = newText(string(data))
			}
		}
		if !s.file {
			path, t = "", newText("")
		}
		source := strings.TrimSpace(t.line(s.at.Line))
		if r := []rune(source); len(r) > maxSourceLine {
			source = string(r[:maxSourceLine]) + "…"
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%s:%d:%d %s", s.name, s.at.Line+1, t.column(s.at), source), " "))
	}
	return lines
}
