// Package form is the state of a form of ask_user while a person answers it with single keys: which
// question is shown, which option stands out, what is ticked (tools.fr.md, ask_user, Fenêtre). It
// knows no terminal; a front end draws what Form tells and hands it the keys.
package form

import (
	"slices"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/edit"
)

// Form is a form at one of its questions. It is for one goroutine.
type Form struct {
	ui.Form
	at      int
	answers [][]string
	cursor  int    // the option that stands out
	ticked  []bool // of Multi
	box     *edit.Buffer
	done    bool
	state   ui.ReplyState
}

// New returns a form at its first question. A form without questions is answered already.
func New(f ui.Form) *Form {
	x := &Form{Form: f}
	x.begin()
	return x
}

// begin prepares the question that is shown.
func (f *Form) begin() {
	if f.at >= len(f.Questions) {
		f.done, f.state = true, ui.Replied
		return
	}
	q := f.Question()
	f.cursor, f.ticked, f.box = 0, nil, nil
	switch q.Type {
	case ui.Multi:
		f.ticked = make([]bool, len(q.Options))
	case ui.Free:
		f.box = edit.NewLine(q.Default)
	case ui.Confirm:
		if q.Default == ui.No {
			f.cursor = 1
		}
	default:
		f.cursor = max(0, slices.Index(q.Options, q.Default))
	}
}

// Question is the one that is shown.
func (f *Form) Question() ui.Question {
	return f.Questions[min(f.at, len(f.Questions)-1)]
}

// Place tells which of how many questions is shown, counted from 1.
func (f *Form) Place() (i, n int) { return min(f.at+1, len(f.Questions)), len(f.Questions) }

// Option is one line to choose from.
type Option struct {
	Text   string
	Marked bool // it stands out
	Ticked bool // only for Multi
}

// Options are the lines to choose from; none for a text.
func (f *Form) Options() []Option {
	var out []Option
	for i, text := range f.texts() {
		out = append(out, Option{Text: text, Marked: i == f.cursor, Ticked: f.ticked != nil && f.ticked[i]})
	}
	return out
}

func (f *Form) texts() []string {
	switch q := f.Question(); q.Type {
	case ui.Free:
		return nil
	case ui.Confirm:
		return []string{"Yes", "No"}
	default:
		return q.Options
	}
}

// Box is where a text is typed; nil for the other types.
func (f *Form) Box() *edit.Buffer { return f.box }

// Reply is what came of the form; ok is false while it is being answered.
func (f *Form) Reply() (r ui.FormReply, ok bool) {
	if !f.done {
		return ui.FormReply{}, false
	}
	r.State = f.state
	if r.State == ui.Replied {
		r.Answers = f.answers
	}
	return r, true
}

// Press takes a key by its name: "up", "down", "left", "right", "enter", "space", "esc", or a
// character. It reports whether the key means something here; in a text only Enter and Esc do.
func (f *Form) Press(key string) bool {
	switch {
	case f.done:
		return false
	case key == "esc":
		f.done, f.state = true, ui.Declined
		return true
	case key == "enter":
		f.enter()
		return true
	case f.box != nil:
		return false
	}
	return f.move(key) || f.pick(key)
}

// move shifts the option that stands out, in a ring.
func (f *Form) move(key string) bool {
	confirm := f.Question().Type == ui.Confirm
	step := 0
	switch {
	case key == "up", confirm && key == "left":
		step = -1
	case key == "down", confirm && key == "right":
		step = 1
	default:
		return false
	}
	n := len(f.texts())
	f.cursor = (f.cursor + step + n) % n
	return true
}

// pick takes the keys that choose at once, and the one that ticks.
func (f *Form) pick(key string) bool {
	switch f.Question().Type {
	case ui.Multi:
		if key != "space" && key != " " {
			return false
		}
		f.ticked[f.cursor] = !f.ticked[f.cursor]
		return true
	case ui.Confirm:
		switch key {
		case "y", "o", "Y", "O":
			f.answer(ui.Yes)
		case "n", "N":
			f.answer(ui.No)
		default:
			return false
		}
		return true
	}
	if len(key) == 1 && key[0] >= '1' && key[0] <= '9' && int(key[0]-'1') < len(f.texts()) {
		f.answer(f.texts()[key[0]-'1'])
		return true
	}
	return false
}

// Choose is a click on an option: it ticks or answers.
func (f *Form) Choose(i int) {
	if f.done || i < 0 || i >= len(f.texts()) {
		return
	}
	f.cursor = i
	if f.ticked != nil {
		f.ticked[i] = !f.ticked[i]
		return
	}
	f.enter()
}

// enter answers with what is chosen, if that is an answer.
func (f *Form) enter() {
	q := f.Question()
	switch q.Type {
	case ui.Multi:
		var list []string
		for i, yes := range f.ticked {
			if yes {
				list = append(list, q.Options[i])
			}
		}
		if len(list) > 0 {
			f.answer(list...)
		}
	case ui.Free:
		if a, ok := q.ParseLine(f.box.Text()); ok {
			f.answer(a...)
		}
	case ui.Confirm:
		f.answer([]string{ui.Yes, ui.No}[f.cursor])
	default:
		f.answer(q.Options[f.cursor])
	}
}

func (f *Form) answer(a ...string) {
	f.answers = append(f.answers, a)
	f.at++
	f.begin()
}
