//go:build unix

package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// settingRequirements are about modes, options and logging in.
func settingRequirements() []requirement {
	return []requirement{
		{"MODES-001", capability, "`modes` of a session name the current one among those there are", (*required).modes},
		{"MODES-002", capability, "`session/set_mode` takes each of them; a `current_mode_update` names it as `currentModeId`", (*required).setsMode},
		{"CONFIG-001", capability, "`configOptions` of a session have a value each, among those there are", (*required).options},
		{"CONFIG-002", capability, "`session/set_config_option` returns all options, with the new value", (*required).setsOption},
		{"CONFIG-003", mandatory, "no boolean option goes to a client that didn't announce them", (*required).noBooleans},
		{"AUTH-001", advisory, "the ids of `authMethods` are distinct", (*required).authMethods},
		{"AUTH-002", mandatory, "no method of type terminal goes to a client that didn't announce `auth.terminal`", (*required).authMethods},
		{"AUTH-003", capability, "`authenticate` with an announced method succeeds, with `{}`, and so does `session/new` then", (*required).authenticates},
		{"AUTH-004", capability, "`logout` isn't announced, and refused with -32601", (*required).noLogout},
		{"AUTH-005", advisory, "`session/new` doesn't want a login first", (*required).needsNoLogin},
	}
}

// mode puts a session into a mode.
func (r *required) mode(e *acptest.Editor, session, mode string) {
	r.Helper()
	must(r.T, e.Conn.Call(r.Context(), acp.MethodSetMode, acp.SetModeRequest{SessionID: session, ModeID: mode}, nil))
}

func (r *required) modes() {
	e, _ := r.edit(acptest.Options{})
	m := e.NewSession(r.Context(), r.dir).Modes
	if m == nil || len(m.AvailableModes) != 2 {
		r.Fatalf("%+v", m)
	}
	for _, mode := range m.AvailableModes {
		if mode.ID == m.CurrentModeID && mode.Name != "" {
			return
		}
	}
	r.Errorf("%+v", m)
}

func (r *required) setsMode() {
	e, id := r.edit(acptest.Options{})
	for _, mode := range []string{"ask", "yolo", "ask"} {
		r.mode(e, id, mode)
		e.WaitUpdate(r.Context(), func(u acp.SessionUpdate) bool {
			return u.Kind == acp.UpdateConfigOption && strings.Contains(string(u.Raw), `"currentValue":"`+mode+`"`)
		})
	}
	must(r.T, e.Conn.Call(r.Context(), acp.MethodSetConfigOption, acp.SetConfigOptionRequest{SessionID: id, ConfigID: "mode", Value: "yolo"}, nil))
	e.WaitUpdate(r.Context(), func(u acp.SessionUpdate) bool {
		var m acp.CurrentMode
		return u.Kind == acp.UpdateCurrentMode && u.Decode(&m) == nil && m.CurrentModeID == "yolo"
	})
	err := e.Conn.Call(r.Context(), acp.MethodSetMode, acp.SetModeRequest{SessionID: id, ModeID: "nobody's"}, nil)
	if acp.ErrorCode(err) != acp.CodeInvalidParams {
		r.Errorf("an unknown mode: %v", err)
	}
}

func (r *required) options() {
	e, _ := r.edit(acptest.Options{})
	list := e.NewSession(r.Context(), r.dir).ConfigOptions
	if len(list) == 0 {
		r.Fatal("no options")
	}
	for _, o := range list {
		found := false
		for _, v := range o.Options {
			found = found || v.Value == o.Value
		}
		if !found || o.ID == "" || o.Name == "" || o.Category == "" {
			r.Errorf("%+v", o)
		}
	}
}

// models is a server with two models, of which the second is chosen.
func (r *required) models() {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !strings.HasSuffix(q.URL.Path, "/models") {
			http.NotFound(w, q)
			return
		}
		_, _ = w.Write([]byte(`{"data":[{"id":"one"},{"id":"two"}]}`))
	}))
	r.Cleanup(h.Close)
	must(r.T, os.WriteFile(filepath.Join(r.dir, "mm.yaml"), []byte("provider: mine\nbaseURL: "+h.URL+"/v1\nmodel: two\n"), 0o600))
}

// pushed waits until the options are pushed with a model chosen.
func (r *required) pushed(e *acptest.Editor, model string) {
	e.WaitUpdate(r.Context(), func(u acp.SessionUpdate) bool {
		var c acp.ConfigOptions
		return u.Kind == acp.UpdateConfigOption && u.Decode(&c) == nil && len(c.ConfigOptions) == 2 && c.ConfigOptions[1].Value == model
	})
}

func (r *required) setsOption() {
	r.models()
	e, id := r.edit(acptest.Options{})
	r.pushed(e, "two")
	for _, set := range [][2]string{{"model", "one"}, {"mode", "ask"}, {"mode", "yolo"}, {"model", "two"}} {
		var resp acp.SetConfigOptionResponse
		must(r.T, e.Conn.Call(r.Context(), acp.MethodSetConfigOption, acp.SetConfigOptionRequest{SessionID: id, ConfigID: set[0], Value: set[1]}, &resp))
		if len(resp.ConfigOptions) != 2 {
			r.Fatalf("%+v", resp)
		}
		for _, o := range resp.ConfigOptions {
			if o.ID == set[0] && o.Value != set[1] {
				r.Errorf("%s is %q, want %q", o.ID, o.Value, set[1])
			}
		}
	}
	for _, bad := range []acp.SetConfigOptionRequest{{ConfigID: "model", Value: "three"}, {ConfigID: "nobody's", Value: "x"}, {ConfigID: "mode", Type: acp.OptionBoolean, On: true}} {
		bad.SessionID = id
		if err := e.Conn.Call(r.Context(), acp.MethodSetConfigOption, bad, nil); acp.ErrorCode(err) != acp.CodeInvalidParams {
			r.Errorf("%+v: %v", bad, err)
		}
	}
	// A command that chooses is told, too.
	r.stopped(e.Prompt(r.Context(), id, "/model one"))
	r.pushed(e, "one")
}

func (r *required) noBooleans() {
	r.models()
	e, _ := r.edit(acptest.Options{})
	r.pushed(e, "two")
	for _, f := range e.Checker.Frames() {
		if f.FromAgent && strings.Contains(f.Data, `"type":"boolean"`) {
			r.Errorf("a boolean option: %s", f.Data)
		}
	}
}

func (r *required) authMethods() {
	w := r.wire()
	var info acp.InitializeResponse
	r.decode(w.Call(r.Context(), acp.MethodInitialize, `{"protocolVersion":1}`), &info)
	seen := map[string]bool{}
	for _, m := range info.AuthMethods {
		if seen[m.ID] || m.ID == "" || m.Type == acp.AuthTerminal {
			r.Errorf("%+v", m)
		}
		seen[m.ID] = true
	}
	if len(seen) == 0 {
		r.Error("no methods")
	}
}

func (r *required) authenticates() {
	w := r.wire()
	var info acp.InitializeResponse
	r.decode(w.Call(r.Context(), acp.MethodInitialize, `{"protocolVersion":1}`), &info)
	r.empty(w.Call(r.Context(), acp.MethodAuthenticate, r.params(map[string]any{"methodId": info.AuthMethods[0].ID})))
	r.code(w.Call(r.Context(), acp.MethodAuthenticate, `{"methodId":"nobody's"}`), acp.CodeInvalidParams)
	r.begin(w)
}

func (r *required) noLogout() {
	w, _ := r.open()
	var info struct {
		AgentCapabilities struct{ Auth json.RawMessage }
	}
	r.decode(w.Call(r.Context(), acp.MethodInitialize, `{"protocolVersion":1}`), &info)
	if strings.Contains(string(info.AgentCapabilities.Auth), "logout") {
		r.Error("logout is announced")
	}
	r.code(w.Call(r.Context(), acp.MethodLogout, `{}`), acp.CodeMethodNotFound)
}

func (r *required) needsNoLogin() { r.open() }
