package editor

import (
	"encoding/json"

	"github.com/mini-me/mm/internal/acp"
)

// The modes of a session: whether calls that change something ask. An asked agent offers only the
// first, since its asker decides.
const (
	modeAsk  = "ask"
	modeYolo = "yolo"
)

func (ses *session) mode() string {
	if ses.s.Gate().Yolo() {
		return modeYolo
	}
	return modeAsk
}

func (ses *session) modes() *acp.Modes {
	m := &acp.Modes{CurrentModeID: ses.mode(), AvailableModes: []acp.Mode{
		{ID: modeAsk, Name: "Ask", Description: "Ask before a tool changes something"},
	}}
	if !ses.server.e.Asked() {
		m.AvailableModes = append(m.AvailableModes, acp.Mode{ID: modeYolo, Name: "Yolo", Description: "Run tools without asking"})
	}
	return m
}

// optionMode is the config option that is in step with the mode.
const optionMode = "mode"

// options are the session's settings, the complete list each time.
func (ses *session) options() []acp.ConfigOption {
	o := acp.ConfigOption{Type: acp.OptionSelect, ID: optionMode, Name: "Permissions", Category: acp.CategoryMode, Value: ses.mode()}
	for _, m := range ses.modes().AvailableModes {
		o.Options = append(o.Options, acp.ConfigValue{Value: m.ID, Name: m.Name, Description: m.Description})
	}
	return []acp.ConfigOption{o}
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
	if p.ConfigID != optionMode {
		return nil, acp.InvalidParams("unknown option %q", p.ConfigID)
	}
	if !ses.enter(p.Value) {
		return nil, acp.InvalidParams("unknown value %q of %s", p.Value, p.ConfigID)
	}
	return acp.Reply{
		Result: acp.SetConfigOptionResponse{ConfigOptions: ses.options()},
		Then:   func() { ses.out.update(acp.CurrentMode{CurrentModeID: ses.mode()}) },
	}, nil
}

// enter reports whether there is such a mode, and puts the session in it.
func (ses *session) enter(mode string) bool {
	for _, m := range ses.modes().AvailableModes {
		if m.ID == mode {
			ses.s.Gate().SetYolo(mode == modeYolo)
			return true
		}
	}
	return false
}
