// Package talk is the conversation as the window shows it: entries in the order in which they began,
// laid out only where they are seen.
//
// A Log takes what a session emits. Each entry (a question, an answer, a thought, a call) consists of
// parts that are laid out on their own, and a place in the conversation is an entry, a part of it and
// a line of that; nothing ever needs the height of the whole. So scrolling, resizing and streaming
// cost what a screen costs, however long the conversation is.
//
// A Log belongs to one goroutine. Everything it shows has passed ui.Clean.
package talk

import (
	"strings"
	"time"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui/cells"
)

// Log is a conversation.
type Log struct {
	cwd     string
	entries []entry
	shown   []int // those that the choice lets through, in order
	choice  string
	open    map[string]*block // by ask: the text or thought that goes on
	calls   map[string]*call  // those that haven't ended
	asks    map[string]Ask    // all that there were
	colours map[string]int    // of agents, by path
	plans   map[string]*plan
	waits   map[string]bool // calls that wait for a person

	canvas
	top    pos
	follow bool
	screen []pos // of the lines shown last
	height int
	cur    entry // the one that stands out, nil for none
	cached ring

	query string
	mark  stretch // selected by mouse
}

// canvas is what entries are drawn on.
type canvas struct {
	width int
	m     cells.Measure
	now   time.Time
	gen   int // changes when everything has to be drawn again
}

// Ask is a task that an agent was asked to do.
type Ask struct {
	Agent, Title, Parent string
	Colour               paint.Style
}

// Name is how the agent is named in the window: its title, or its name.
func (a Ask) Name() string {
	if a.Title != "" {
		return a.Title
	}
	return lastName(a.Agent)
}

// lastName is the agent's own name: "homer" of "jan/homer".
func lastName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// path is an agent's path as it is shown: "jan · homer".
func path(agent string) string { return strings.ReplaceAll(agent, "/", " · ") }

// entry is something in the conversation.
type entry interface {
	common() *base
	// parts is how many parts it has; none are shown as nothing.
	parts() int
	// rev changes when a part has to be drawn again.
	rev(c canvas, i int) int
	draw(c canvas, i int) []paint.Line
	// plain is a part's text, for search.
	plain(i int) string
	// source is what is copied.
	source() string
}

// base is what all entries have.
type base struct {
	ask      string
	kind     kind
	foldable bool
	folded   bool
	cache    []drawn
}

func (b *base) common() *base { return b }

type kind uint8

const (
	asked    kind = iota // a question of the person
	answer               // text of an agent
	thinking             // a thought
	calling              // a tool call
	note                 // a line of mm's
	handover             // an agent begins to work
)

// drawn are the lines of a part that was drawn.
type drawn struct {
	lines      []paint.Line
	width, gen int
	rev        int
}

// New returns an empty conversation of a session in a folder; "" where that isn't known.
func New(cwd string) *Log {
	return &Log{
		cwd:  cwd,
		open: map[string]*block{}, calls: map[string]*call{}, asks: map[string]Ask{}, colours: map[string]int{},
		plans: map[string]*plan{}, waits: map[string]bool{}, canvas: canvas{width: 80, now: time.Now()}, follow: true,
	}
}

// Layout tells the width in cells and how they are counted.
func (l *Log) Layout(width int, m cells.Measure) {
	width = max(width, 16) // the window says that it needs more
	if width == l.width && m == l.m {
		return
	}
	l.width, l.m = width, m
	l.gen++
	l.mark = stretch{}
}

// Now tells the time: running calls show how long they run.
func (l *Log) Now(t time.Time) { l.now = t }

// Running reports whether something is shown that changes with time alone.
func (l *Log) Running() bool { return len(l.calls) > 0 }

// add puts an entry at the end.
func (l *Log) add(e entry) {
	l.entries = append(l.entries, e)
	if l.lets(e) {
		l.shown = append(l.shown, len(l.entries)-1)
	}
}

// lets reports whether the choice lets an entry through.
func (l *Log) lets(e entry) bool {
	if l.choice == "" {
		return true
	}
	for ask := e.common().ask; ask != ""; ask = l.asks[ask].Parent {
		if ask == l.choice {
			return true
		}
	}
	return false
}

// Choose shows only the work on one ask, with what was asked below it; "" shows everything.
func (l *Log) Choose(ask string) {
	if ask == l.choice {
		return
	}
	l.choice, l.shown, l.mark, l.cur = ask, nil, stretch{}, nil
	for i, e := range l.entries {
		if l.lets(e) {
			l.shown = append(l.shown, i)
		}
	}
	l.End()
}

// Choice is the ask whose work is shown, "" for everything.
func (l *Log) Choice() string { return l.choice }

// Ask tells about a task.
func (l *Log) Ask(id string) Ask { return l.asks[id] }

// Len is the number of entries.
func (l *Log) Len() int { return len(l.entries) }
