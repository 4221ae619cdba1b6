package talk

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
	"github.com/mini-me/mm/internal/ui/markdown"
)

// question is what the person typed.
type question struct {
	base
	text   string
	pieces []string
}

// longQuestion is how many rows of a question are shown while it is folded.
const longQuestion = 12

func newQuestion(text string) *question {
	q := &question{base: base{kind: asked}, text: text, pieces: chunks(ui.Clean(text))}
	if n := strings.Count(text, "\n") + 1; n > longQuestion || len(text) > chunkBytes {
		q.foldable, q.folded = true, true
	}
	return q
}

func (q *question) parts() int {
	if q.folded {
		return min(1, len(q.pieces))
	}
	return len(q.pieces)
}

func (q *question) rev(canvas, int) int { return flag(q.folded) }

func (q *question) draw(c canvas, i int) []paint.Line {
	rows := plainLines(q.pieces[i], c.width, c.m, true, "┃ ", paint.Bold)
	if !q.folded || len(rows) <= longQuestion {
		return rows
	}
	rest := fmt.Sprintf("%d characters", utf8.RuneCountInString(q.text))
	if n := lineCount(q.text); n > 1 {
		rest = fmt.Sprintf("%d lines", n)
	}
	return append(rows[:longQuestion], paint.Text(cells.Cut("┃ ▸ "+rest, c.width, c.m), paint.Faint, c.m))
}

func (q *question) plain(i int) string { return q.pieces[i] }
func (q *question) source() string     { return q.text }

// block is a text or a thought that comes in pieces.
type block struct {
	base
	message string
	clean   ui.Cleaner
	doc     markdown.Doc
	text    strings.Builder // as it came, for copying
	began   time.Time
	ended   time.Time // of a thought
}

func newBlock(ask, message string, k kind, now time.Time) *block {
	b := &block{base: base{ask: ask, kind: k}, message: message, began: now}
	if k == thinking {
		b.foldable, b.folded = true, true
	}
	return b
}

func (b *block) write(s string) {
	if b.text.Len() == 0 {
		s = strings.TrimLeft(s, "\r\n")
	}
	s = b.clean.Clean(s)
	b.text.WriteString(s)
	b.doc.Write(s)
}

func (b *block) parts() int {
	n := len(b.doc.Parts())
	if b.kind == answer || n == 0 {
		return n
	}
	if b.folded {
		return 1
	}
	return 1 + n
}

func (b *block) rev(c canvas, i int) int {
	if b.kind == answer {
		return b.doc.Parts()[i].Rev
	}
	if i > 0 {
		return b.doc.Parts()[i-1].Rev
	}
	return b.text.Len()<<8 + int(b.spent(c.now).Seconds())<<1 + flag(b.folded)
}

// spent is how long a thought took.
func (b *block) spent(now time.Time) time.Duration {
	if !b.ended.IsZero() {
		now = b.ended
	}
	return now.Sub(b.began).Truncate(time.Second)
}

func (b *block) draw(c canvas, i int) []paint.Line {
	if b.kind == answer {
		return b.part(c, i, paint.Plain, "")
	}
	if i > 0 {
		return b.part(c, i-1, paint.Faint, "  ")
	}
	return []paint.Line{b.head(c)}
}

func (b *block) part(c canvas, i int, st paint.Style, in string) []paint.Line {
	p := b.doc.Parts()[i]
	var out []paint.Line
	if p.Gap {
		out = append(out, paint.Line{})
	}
	for _, l := range p.Layout(c.width-len(in), c.m) {
		line := paint.Markdown(l, st, c.m)
		out = append(out, paint.Line{Text: in + line.Text, Width: len(in) + line.Width})
	}
	return out
}

// head is the line of a thought: how long it took, and how it begins.
func (b *block) head(c canvas) paint.Line {
	word := "thought"
	if b.ended.IsZero() {
		word = "thinking"
	}
	text := foldMark(b.folded) + " " + word
	if s := b.spent(c.now); s > 0 {
		text += " " + s.String()
	}
	if b.folded {
		text += " · " + b.glimpse()
	}
	return paint.Text(cells.Cut(text, c.width, c.m), paint.Faint, c.m)
}

// glimpse is the line that tells most of a folded thought: the last while it comes, then the first.
func (b *block) glimpse() string {
	parts := b.doc.Parts()
	at := 0
	if b.ended.IsZero() {
		at = len(parts) - 1
	}
	text := parts[at].Plain()
	if i := strings.LastIndexByte(text, '\n'); b.ended.IsZero() && i >= 0 {
		text = text[i+1:]
	}
	first, _, _ := strings.Cut(text, "\n")
	return first
}

func (b *block) plain(i int) string {
	if b.kind == thinking {
		if i == 0 {
			return ""
		}
		i--
	}
	return b.doc.Parts()[i].Source()
}

func (b *block) source() string { return strings.TrimRight(b.text.String(), "\n") }

func foldMark(folded bool) string {
	if folded {
		return "▸"
	}
	return "▾"
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
