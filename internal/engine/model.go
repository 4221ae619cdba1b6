package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/session"
)

// Model is the model that answers in this session.
func (s *Session) Model() llm.Model {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.model
}

// errOneModel means that a model can't be exchanged.
var errOneModel = errors.New("this model's server can't list others")

// Models asks the server which models it has.
func (s *Session) Models(ctx context.Context) (llm.Server, error) {
	l, ok := s.Model().(llm.Lister)
	if !ok {
		return llm.Server{}, errOneModel
	}
	return l.List(ctx)
}

// SetModel lets another model of the server answer from the next turn on. It waits for a running
// turn; a resumed session keeps it.
func (s *Session) SetModel(name string) error {
	l, ok := s.Model().(llm.Lister)
	if !ok {
		return errOneModel
	}
	m := l.With(name)
	s.conv.SetModel(m)
	s.mu.Lock()
	s.model = m
	s.mu.Unlock()
	if s.keeper != nil {
		s.keeper.w.Update(func(i *session.Info, _ *session.Usage) { i.Model, i.Switched = name, true })
	}
	return nil
}

func modelCommand(ctx context.Context, s *Session, args string) Done {
	server, err := s.Models(ctx)
	if err != nil {
		return Done{Failed: true, Text: err.Error()}
	}
	if args == "" {
		return Done{Text: listModels(server, s.Model().Name())}
	}
	name, err := pickModel(server.Models, args)
	if err != nil {
		return Done{Failed: true, Text: err.Error()}
	}
	if name == s.Model().Name() {
		return Done{Text: name + " answers already"}
	}
	if err := s.SetModel(name); err != nil {
		return Done{Failed: true, Text: err.Error()}
	}
	return Done{Text: name + " answers from now on"}
}

func listModels(server llm.Server, current string) string {
	var b strings.Builder
	for _, m := range server.Models {
		mark := " "
		if m == current {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %s", mark, m)
		if server.Loaded != nil && slices.Contains(server.Loaded, m) {
			b.WriteString(" (loaded)")
		}
		b.WriteString("\n")
	}
	if b.Len() == 0 {
		return "the server lists no models"
	}
	return b.String() + "switch with /model NAME"
}

// pickModel finds a model by its name, or by a part of it that only one has.
func pickModel(models []string, name string) (string, error) {
	if slices.Contains(models, name) {
		return name, nil
	}
	var found []string
	for _, m := range models {
		if strings.Contains(strings.ToLower(m), strings.ToLower(name)) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("the server has no model %q — it has: %s", name, strings.Join(models, ", "))
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%q is part of several names: %s", name, strings.Join(found, ", "))
}
