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
	list := []acp.ConfigOption{o}
	ses.mu.Lock()
	defer ses.mu.Unlock()
	if len(ses.models) > 1 {
		m := acp.ConfigOption{Type: acp.OptionSelect, ID: optionModel, Name: "Model", Category: acp.CategoryModel, Value: ses.model}
		for _, name := range ses.models {
			m.Options = append(m.Options, acp.ConfigValue{Value: name, Name: name})
		}
		list = append(list, m)
	}
	return list
}

// listWait bounds the question for the server's models.
const listWait = 5 * time.Second

// listModels asks the server for its models, beside everything else, and offers them.
func (ses *open) listModels() {
	ses.work.Go(func() {
		ctx, cancel := context.WithTimeout(ses.ctx, listWait)
		defer cancel()
		server, err := ses.s.Models(ctx)
		if err != nil || len(server.Models) < 2 {
			return // /model says why, where somebody wants to know
		}
		ses.mu.Lock()
		ses.models, ses.model = server.Models, ses.s.Model().Name()
		if !slices.Contains(ses.models, ses.model) {
			ses.models = append([]string{ses.model}, ses.models...)
		}
		ses.mu.Unlock()
		ses.out.update(acp.ConfigOptions{ConfigOptions: ses.options()})
	})
}

// choose lets another model answer from the next turn on; a running turn keeps its own.
func (ses *open) choose(model string) bool {
	ses.mu.Lock()
	known := slices.Contains(ses.models, model)
	if known {
		ses.model = model
	}
	idle := ses.running == nil || ses.running.ended()
	ses.mu.Unlock()
	if !known {
		return false
	}
	set := func() {
		if err := ses.s.SetModel(model); err != nil {
			ses.server.o.Log("choosing %s: %v", model, err)
		}
	}
	if idle {
		set() // the next prompt may be right behind
	} else {
		ses.work.Go(set)
	}
	return true
}

// follow tells the client of another model that a command (/model) has chosen.
func (ses *open) follow() {
	name := ses.s.Model().Name()
	ses.mu.Lock()
	changed := len(ses.models) > 1 && name != ses.model && slices.Contains(ses.models, name)
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
func (s *server) setOption(params json.RawMessage) (any, error) {
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
		known = ses.choose(p.Value)
	default:
		return nil, acp.InvalidParams("unknown option %q", p.ConfigID)
	}
	if !known {
		return nil, acp.InvalidParams("unknown value %q of %s", p.Value, p.ConfigID)
	}
	return acp.Reply{
		Result: acp.SetConfigOptionResponse{ConfigOptions: ses.options()},
		Then:   func() { ses.out.update(acp.CurrentMode{CurrentModeID: ses.mode()}) },
	}, nil
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
