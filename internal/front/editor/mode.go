package editor

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mini-me/mm/internal/acp"
)

// The modes of a session: whether calls that change something ask. An asked agent offers only the
// first, since its asker decides.
const (
	modeAsk  = "ask"
	modeYolo = "yolo"
)

func (ses *open) mode() string {
	if ses.s.Gate().Yolo() {
		return modeYolo
	}
	return modeAsk
}

func (ses *open) modes() *acp.Modes {
	m := &acp.Modes{CurrentModeID: ses.mode(), AvailableModes: []acp.Mode{
		{ID: modeAsk, Name: "Ask", Description: "Ask before a tool changes something"},
	}}
	if !ses.server.e.Asked() {
		m.AvailableModes = append(m.AvailableModes, acp.Mode{ID: modeYolo, Name: "Yolo", Description: "Run tools without asking"})
	}
	return m
}

// The config options: one is in step with the mode, one chooses among the server's models.
const (
	optionMode  = "mode"
	optionModel = "model"
)

// options are the session's settings, the complete list each time.
func (ses *open) options() []acp.ConfigOption {
	o := acp.ConfigOption{Type: acp.OptionSelect, ID: optionMode, Name: "Permissions", Category: acp.CategoryMode, Value: ses.mode()}
	for _, m := range ses.modes().AvailableModes {
		o.Options = append(o.Options, acp.ConfigValue{Value: m.ID, Name: m.Name, Description: m.Description})
	}
	if ses.server.e.Asked() {
		return []acp.ConfigOption{o} // its agent file says which model answers
	}
	return []acp.ConfigOption{o, ses.modelOption()}
}

// unnamed is the value that stands for a model which the agent file doesn't name, until the server has
// told its name.
const unnamed = "default"

// modelOption offers the server's models, or only the one that answers while they aren't known.
func (ses *open) modelOption() acp.ConfigOption {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	o := acp.ConfigOption{Type: acp.OptionSelect, ID: optionModel, Name: "Model", Category: acp.CategoryModel, Value: ses.currentLocked()}
	names := ses.models
	if names == nil {
		names = []string{o.Value}
	}
	for _, name := range names {
		o.Options = append(o.Options, acp.ConfigValue{Value: name, Name: name})
	}
	return o
}

// currentLocked is the value of the model that answers.
func (ses *open) currentLocked() string {
	switch name := ses.s.Model().Name(); {
	case ses.model != "":
		return ses.model
	case name != "":
		return name
	}
	return unnamed
}

// listWait bounds the question for the server's models.
const listWait = 5 * time.Second

// listModels asks the server for its models, beside everything else, and offers them.
func (ses *open) listModels() {
	ses.work.Go(func() {
		defer close(ses.listed)
		ctx, cancel := context.WithTimeout(ses.ctx, listWait)
		defer cancel()
		server, err := ses.s.Models(ctx)
		if err != nil || len(server.Models) == 0 {
			return // /model says why, where somebody wants to know
		}
		ses.mu.Lock()
		before := ses.model
		ses.models, ses.model = server.Models, ses.s.Model().Name()
		if !slices.Contains(ses.models, ses.model) {
			ses.models = append([]string{ses.model}, ses.models...)
		}
		news := len(ses.models) > 1 || ses.model != before
		ses.mu.Unlock()
		if news {
			ses.out.update(acp.ConfigOptions{ConfigOptions: ses.options()})
		}
	})
}

// offers reports whether a model can be chosen. While the server's models aren't known it waits for
// them: a client may set the model right behind session/new.
func (ses *open) offers(ctx context.Context, model string) bool {
	ctx, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	select {
	case <-ses.listed:
	case <-ses.ctx.Done():
	case <-ctx.Done():
	}
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return slices.Contains(ses.models, model)
}

// choose lets another model answer from the next turn on; a running turn keeps its own.
func (ses *open) choose(ctx context.Context, model string) bool {
	if ses.answers(model) {
		return true
	}
	known := ses.offers(ctx, model)
	ses.mu.Lock()
	if known {
		ses.model = model
	}
	idle := ses.running == nil || ses.running.ended()
	ses.mu.Unlock()
	if !known {
		return false
	}
	if idle {
		ses.setModel() // the next prompt may be right behind
	} else {
		ses.work.Go(ses.setModel)
	}
	return true
}

// setModel lets the chosen model answer. Of several that wait for a turn to end any may be first: each
// takes the newest choice.
func (ses *open) setModel() {
	ses.setting.Lock()
	defer ses.setting.Unlock()
	ses.mu.Lock()
	model := ses.model
	ses.mu.Unlock()
	if err := ses.s.SetModel(model); err != nil {
		ses.server.o.Log("choosing %s: %v", model, err)
	}
}

// answers reports whether that model answers already, and no other can be meant.
func (ses *open) answers(model string) bool {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return ses.models == nil && model == ses.currentLocked() && !ses.server.e.Asked()
}

// follow tells the client of another model that a command (/model) has chosen.
func (ses *open) follow() {
	name := ses.s.Model().Name()
	ses.mu.Lock()
	changed := name != ses.model && (ses.models == nil || slices.Contains(ses.models, name))
	if changed {
		ses.model = name
	}
	ses.mu.Unlock()
	if changed {
		ses.out.update(acp.ConfigOptions{ConfigOptions: ses.options()})
	}
}

// setMode puts a session in a mode; the config option follows.
func (s *server) setMode(params json.RawMessage) (any, error) {
	var p acp.SetModeRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	ses := s.session(p.SessionID)
	if ses == nil {
		return nil, acp.UnknownSession(p.SessionID)
	}
	if !ses.enter(p.ModeID) {
		return nil, acp.InvalidParams("unknown mode %q", p.ModeID)
	}
	return acp.Reply{Result: acp.Empty{}, Then: func() { ses.out.update(acp.ConfigOptions{ConfigOptions: ses.options()}) }}, nil
}

// setOption changes a setting and returns them all; the mode follows.
func (s *server) setOption(ctx context.Context, params json.RawMessage) (any, error) {
	var p acp.SetConfigOptionRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	ses := s.session(p.SessionID)
	if ses == nil {
		return nil, acp.UnknownSession(p.SessionID)
	}
	known := false
	switch p.ConfigID {
	case optionMode:
		known = ses.enter(p.Value)
	case optionModel:
		known = ses.choose(ctx, p.Value)
	default:
		return nil, acp.InvalidParams("unknown option %q", p.ConfigID)
	}
	if !known {
		return nil, acp.InvalidParams("unknown value %q of %s", p.Value, p.ConfigID)
	}
	r := acp.Reply{Result: acp.SetConfigOptionResponse{ConfigOptions: ses.options()}}
	if p.ConfigID == optionMode {
		r.Then = func() { ses.out.update(acp.CurrentMode{CurrentModeID: ses.mode()}) }
	}
	return r, nil
}

// enter reports whether there is such a mode, and puts the session in it.
func (ses *open) enter(mode string) bool {
	for _, m := range ses.modes().AvailableModes {
		if m.ID == mode {
			ses.s.Gate().SetYolo(mode == modeYolo)
			return true
		}
	}
	return false
}
