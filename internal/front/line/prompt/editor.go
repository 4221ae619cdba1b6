package prompt

import (
	"strings"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/edit"
)

// Action is what a key asks of the one who owns the editor.
type Action int

// The actions.
const (
	None      Action = iota
	Submit           // Take has the text
	Interrupt        // Ctrl-C
	End              // Ctrl-D on an empty text
	Clear            // Ctrl-L: draw the screen anew
	Suspend          // Ctrl-Z
)

// Candidate is a way to complete what is typed.
type Candidate struct {
	Text string // takes the place of what it completes
	Help string
	// Open says that more of the same word may follow (a folder): no blank comes behind it.
	Open bool
}

// Completer finds candidates for the text before the cursor; n is how many of its last bytes they
// complete. first says that it is in the first line.
type Completer func(before string, first bool) (list []Candidate, n int)

// Editor is a text being typed. One goroutine uses it.
type Editor struct {
	History  *History // may be nil
	Complete Completer

	buf     edit.Buffer
	at      int    // the history entry that is shown, -1 for none
	pending string // what was typed before history was shown
	search  *search
	menu    *menu
	taken   string
	plain   bool // no history and no completion: an answer is typed
}

// search looks through the history (Ctrl-R).
type search struct {
	text   string
	at     int // the entry found, -1 for none
	before string
}

// menu is what Tab offers.
type menu struct {
	list []Candidate
	n    int // bytes before the cursor that a candidate takes the place of
	at   int // the one that is put in, -1 for none
}

// New returns an editor.
func New(h *History, c Completer) *Editor { return &Editor{History: h, Complete: c, at: -1} }

// Answering says that an answer to a question is typed: it isn't kept, and Up doesn't bring up
// questions of before. What was typed so far stays for after.
func (e *Editor) Answering(yes bool) { e.plain = yes }

// Empty reports whether nothing is typed.
func (e *Editor) Empty() bool { return e.buf.Empty() }

// Text is what is typed.
func (e *Editor) Text() string { return e.buf.Text() }

// Set replaces what is typed.
func (e *Editor) Set(text string) {
	e.buf.Set(text)
	e.menu, e.search, e.at = nil, nil, -1
}

// Take returns what was submitted last.
func (e *Editor) Take() string { return e.taken }

// Key carries out a key.
func (e *Editor) Key(k Key) Action {
	if e.search != nil {
		if done, a := e.searchKey(k); done {
			return a
		}
	}
	if k.Name != "tab" && k.Name != "shift+tab" {
		e.menu = nil
	}
	if k.Name == "" {
		e.buf.Insert(typed(k))
		return None
	}
	return e.command(k.Name)
}

// typed is a text as it goes into the buffer: control characters can't be typed, and a pasted one
// would show as something else than what is sent.
func typed(k Key) string {
	s := strings.ReplaceAll(strings.ReplaceAll(k.Text, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

func (e *Editor) command(name string) Action {
	switch name {
	case "enter":
		return e.enter()
	case "alt+enter":
		e.buf.Insert("\n")
	case "ctrl+c":
		return Interrupt
	case "ctrl+d":
		if e.buf.Empty() {
			return End
		}
		e.buf.Delete()
	case "ctrl+l":
		return Clear
	case "ctrl+z":
		return Suspend
	case "tab":
		e.tab(1)
	case "shift+tab":
		e.tab(-1)
	case "ctrl+r":
		e.begin()
	case "up", "ctrl+p":
		if !e.buf.Up() {
			e.older()
		}
	case "down", "ctrl+n":
		if !e.buf.Down() {
			e.newer()
		}
	default:
		e.move(name)
	}
	return None
}

// move carries out what only concerns the text.
func (e *Editor) move(name string) {
	switch name {
	case "left", "ctrl+b":
		e.buf.Left()
	case "right", "ctrl+f":
		e.buf.Right()
	case "home", "ctrl+a":
		e.buf.Home()
	case "end", "ctrl+e":
		e.buf.End()
	case "alt+b", "alt+left", "ctrl+left":
		e.buf.WordLeft()
	case "alt+f", "alt+right", "ctrl+right":
		e.buf.WordRight()
	case "backspace":
		e.buf.Backspace()
	case "delete":
		e.buf.Delete()
	case "ctrl+w", "alt+backspace":
		e.buf.DeleteWord()
	case "ctrl+k":
		e.buf.KillLine()
	case "ctrl+u":
		e.buf.KillBefore()
	case "ctrl+y":
		e.buf.Yank()
	}
}

// enter submits, or begins another line where a backslash stands at the end.
func (e *Editor) enter() Action {
	text := e.buf.Text()
	if strings.HasSuffix(text, `\`) && !e.plain {
		e.buf.Bottom()
		e.buf.ReplaceBefore(1, "\n")
		return None
	}
	e.taken = text
	if e.History != nil && !e.plain {
		e.History.Add(text)
	}
	e.Set("")
	return Submit
}

func (e *Editor) older() {
	if e.History == nil || e.plain || e.at+1 >= e.History.Len() {
		return
	}
	if e.at < 0 {
		e.pending = e.buf.Text()
	}
	e.show(e.at + 1)
}

func (e *Editor) newer() {
	switch {
	case e.at < 0:
	case e.at == 0:
		e.at = -1
		e.buf.Set(e.pending)
	default:
		e.show(e.at - 1)
	}
}

func (e *Editor) show(at int) {
	e.at = at
	e.buf.Set(e.History.At(at))
}

// begin is Ctrl-R.
func (e *Editor) begin() {
	if e.History != nil && !e.plain {
		e.search = &search{at: -1, before: e.buf.Text()}
	}
}

// searchKey carries out a key while history is searched. done is false for keys that end the search
// and then mean what they always do.
func (e *Editor) searchKey(k Key) (done bool, a Action) {
	s := e.search
	switch k.Name {
	case "":
		s.text += typed(k)
		s.at = e.History.find(s.text, max(s.at, 0))
		return true, None
	case "backspace":
		if r := []rune(s.text); len(r) > 0 {
			s.text = string(r[:len(r)-1])
		}
		s.at = e.History.find(s.text, 0)
		return true, None
	case "ctrl+r":
		if at := e.History.find(s.text, s.at+1); at >= 0 {
			s.at = at
		}
		return true, None
	case "ctrl+c", "ctrl+g", "esc":
		e.Set(s.before)
		return true, None
	}
	if s.at >= 0 && s.text != "" {
		e.Set(e.History.At(s.at))
	} else {
		e.Set(s.before)
	}
	return false, None
}

// tab completes as far as there is one way, offers the ways, then goes through them.
func (e *Editor) tab(step int) {
	if e.menu != nil {
		at := e.menu.at
		if at < 0 && step < 0 {
			at = 0
		}
		e.put((at + step + len(e.menu.list)) % len(e.menu.list))
		return
	}
	if e.Complete == nil || e.plain {
		return
	}
	before, first := e.buf.Before()
	list, n := e.Complete(before, first)
	switch len(list) {
	case 0:
		return
	case 1:
		text := list[0].Text
		if !list[0].Open {
			text += " "
		}
		e.buf.ReplaceBefore(n, text)
		return
	}
	have := before[len(before)-n:]
	if common := prefix(list); len(common) > len(have) && strings.HasPrefix(common, have) {
		e.buf.ReplaceBefore(n, common)
		n = len(common)
	}
	e.menu = &menu{list: list, n: n, at: -1}
}

// put puts a candidate in the place of the one before.
func (e *Editor) put(at int) {
	m := e.menu
	e.buf.ReplaceBefore(m.n, m.list[at].Text)
	m.at, m.n = at, len(m.list[at].Text)
}

// prefix is what all candidates begin with.
func prefix(list []Candidate) string {
	p := list[0].Text
	for _, c := range list[1:] {
		for !strings.HasPrefix(c.Text, p) {
			p = p[:len(p)-1]
		}
	}
	return strings.ToValidUTF8(p, "")
}

// label is a candidate as it is shown.
func (c Candidate) label() string { return ui.CleanLine(c.Text) }
