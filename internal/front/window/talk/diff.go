package talk

import (
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// diff is what calls change in files, in pieces that are drawn on their own.
type diff struct {
	pieces         []diffPiece
	lines          int
	added, removed int
}

type diffPiece string

func newDiff(list []consent.Diff, cwd string) diff {
	var d diff
	for _, f := range list {
		for _, piece := range chunks(Unified(f, cwd)) {
			d.pieces = append(d.pieces, diffPiece(piece))
		}
	}
	for _, p := range d.pieces {
		for l := range strings.SplitSeq(string(p), "\n") {
			d.lines++
			switch {
			case strings.HasPrefix(l, "+") && !strings.HasPrefix(l, "+++ "):
				d.added++
			case strings.HasPrefix(l, "-") && !strings.HasPrefix(l, "--- "):
				d.removed++
			}
		}
	}
	return d
}

// Unified is a change of a file as a diff that is safe to show. Files below cwd are named from there.
func Unified(f consent.Diff, cwd string) string {
	path := f.Path
	if rel, err := filepath.Rel(cwd, path); cwd != "" && err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	old, name := "", "/dev/null"
	if f.Old != nil {
		old, name = *f.Old, path
	}
	return ui.Clean(udiff.Unified(name, path, old, f.New))
}

func (d diff) text() string {
	var parts []string
	for _, p := range d.pieces {
		parts = append(parts, string(p))
	}
	return strings.Join(parts, "\n")
}

func (p diffPiece) plain() string { return string(p) }

func (p diffPiece) draw(c canvas) []paint.Line { return DiffLines(string(p), c.width, c.m) }

// DiffLines draws the lines of a diff.
func DiffLines(text string, width int, m cells.Measure) []paint.Line {
	var out []paint.Line
	for l := range strings.SplitSeq(text, "\n") {
		out = append(out, plainLines(l, width, m, false, "  ", diffStyle(l))...)
	}
	return out
}

func diffStyle(l string) paint.Style {
	switch {
	case strings.HasPrefix(l, "+++ "), strings.HasPrefix(l, "--- "):
		return paint.Bold
	case strings.HasPrefix(l, "+"):
		return paint.Green
	case strings.HasPrefix(l, "-"):
		return paint.Red
	case strings.HasPrefix(l, "@@"):
		return paint.Cyan
	}
	return paint.Plain
}
