package form

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/ui"
)

func ask(qs ...ui.Question) *Form { return New(ui.Form{Questions: qs}) }

func press(f *Form, keys string) {
	for _, k := range strings.Fields(keys) {
		if f.Box() != nil && len(k) == 1 {
			f.Box().Insert(k)
			continue
		}
		f.Press(k)
	}
}

var (
	colour  = ui.Question{Text: "Colour?", Type: ui.Choice, Options: []string{"red", "green", "blue"}, Default: "green"}
	toys    = ui.Question{Text: "Toys?", Type: ui.Multi, Options: []string{"car", "doll", "ball"}}
	sure    = ui.Question{Text: "Sure?", Type: ui.Confirm}
	sureNo  = ui.Question{Text: "Sure?", Type: ui.Confirm, Default: ui.No}
	name    = ui.Question{Text: "Name?", Type: ui.Free}
	nameDef = ui.Question{Text: "Name?", Type: ui.Free, Default: "mm"}
)

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		q    ui.Question
		keys string
		want []string // nil for no answer yet
	}{
		{colour, "enter", []string{"green"}},
		{colour, "up enter", []string{"red"}},
		{colour, "up up enter", []string{"blue"}}, // in a ring
		{colour, "down down enter", []string{"red"}},
		{colour, "3", []string{"blue"}},
		{colour, "4", nil},
		{colour, "0", nil},
		{colour, "left x space", nil},
		{toys, "enter", nil}, // nothing is ticked
		{toys, "space enter", []string{"car"}},
		{toys, "space space enter", nil},
		{toys, "space down down space enter", []string{"car", "ball"}},
		{toys, "1", nil},
		{sure, "y", []string{"yes"}},
		{sure, "o", []string{"yes"}},
		{sure, "N", []string{"no"}},
		{sure, "enter", []string{"yes"}},
		{sure, "right enter", []string{"no"}},
		{sure, "left enter", []string{"no"}},
		{sure, "down up enter", []string{"yes"}},
		{sureNo, "enter", []string{"no"}},
		{name, "enter", nil},
		{name, "b o b enter", []string{"bob"}},
		{nameDef, "enter", []string{"mm"}},
		{nameDef, "x enter", []string{"mmx"}},
	} {
		f := ask(c.q)
		press(f, c.keys)
		r, ok := f.Reply()
		if ok != (c.want != nil) || ok && !cmp.Equal(r, ui.FormReply{State: ui.Replied, Answers: [][]string{c.want}}) {
			t.Errorf("%s %q: %+v %v, want %v", c.q.Text, c.keys, r, ok, c.want)
		}
	}
}

func TestEscDeclinesTheWholeForm(t *testing.T) {
	f := ask(colour, name)
	press(f, "enter esc")
	if r, ok := f.Reply(); !ok || !cmp.Equal(r, ui.FormReply{State: ui.Declined}) {
		t.Errorf("%+v %v", r, ok)
	}
	if f.Press("enter") {
		t.Error("a key counted after the end")
	}
}

func TestSeveralQuestions(t *testing.T) {
	f := ask(colour, toys, sure, nameDef)
	for i, keys := range []string{"1", "down space enter", "n", "x enter"} {
		if at, n := f.Place(); at != i+1 || n != 4 {
			t.Errorf("question %d of %d, want %d of 4", at, n, i+1)
		}
		press(f, keys)
	}
	want := ui.FormReply{State: ui.Replied, Answers: [][]string{{"red"}, {"doll"}, {"no"}, {"mmx"}}}
	if r, ok := f.Reply(); !ok || !cmp.Equal(r, want) {
		t.Errorf("%+v %v", r, ok)
	}
}

func TestOptions(t *testing.T) {
	f := ask(toys)
	press(f, "down space")
	want := []Option{{Text: "car"}, {Text: "doll", Marked: true, Ticked: true}, {Text: "ball"}}
	if d := cmp.Diff(want, f.Options()); d != "" {
		t.Error(d)
	}
	if o := ask(name).Options(); o != nil {
		t.Errorf("a text has options: %v", o)
	}
	f = ask(sureNo)
	if d := cmp.Diff([]Option{{Text: "Yes"}, {Text: "No", Marked: true}}, f.Options()); d != "" {
		t.Error(d)
	}
}

func TestClicks(t *testing.T) {
	f := ask(toys, colour)
	f.Choose(2)
	f.Choose(0)
	f.Choose(9)
	press(f, "enter")
	f.Choose(1)
	want := ui.FormReply{State: ui.Replied, Answers: [][]string{{"car", "ball"}, {"green"}}}
	if r, ok := f.Reply(); !ok || !cmp.Equal(r, want) {
		t.Errorf("%+v %v", r, ok)
	}
}

func TestNoQuestions(t *testing.T) {
	if r, ok := ask().Reply(); !ok || r.State != ui.Replied {
		t.Errorf("%+v %v", r, ok)
	}
}
