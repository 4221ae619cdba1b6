//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// slowLister is a server whose models can't be listed before told is closed, and the folder of an mm
// that asks it.
func slowLister(t *testing.T, model string, told <-chan struct{}) (dir string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			select {
			case <-told:
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"alpha"},{"id":"beta"}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return folder(t, map[string]string{"mm.yaml": "provider: test\nbaseURL: " + server.URL + "/v1\n" + model})
}

// modelOf returns the value of the model option and the values to choose from.
func modelOf(t *testing.T, list []acp.ConfigOption) (value string, values []string) {
	t.Helper()
	for _, o := range list {
		if o.ID == "model" {
			for _, v := range o.Options {
				values = append(values, v.Value)
			}
			return o.Value, values
		}
	}
	t.Fatalf("no model among the options: %+v", list)
	return "", nil
}

// TestACPModelOptionFromTheStart: the model stood in no session's options before the server had told
// its list, and one that was set right behind session/new was unknown.
func TestACPModelOptionFromTheStart(t *testing.T) {
	for _, c := range []struct{ name, model, want string }{{"named", "model: alpha\n", "alpha"}, {"unnamed", "", "default"}} {
		t.Run(c.name, func(t *testing.T) {
			told := make(chan struct{})
			dir := slowLister(t, c.model, told)
			e := acptest.Start(t, mm(t, dir, "-acp"), acptest.Options{})
			e.Initialize(t.Context())
			s := e.NewSession(t.Context(), dir)
			if value, values := modelOf(t, s.ConfigOptions); value != c.want || !slices.Equal(values, []string{c.want}) {
				t.Errorf("before the list: %q of %q, want %s", value, values, c.want)
			}
			set := func(model string) *acp.Pending {
				p, err := e.Conn.Send(t.Context(), acp.MethodSetConfigOption, acp.SetConfigOptionRequest{SessionID: s.SessionID, ConfigID: "model", Value: model})
				must(t, err)
				return p
			}
			beta, gamma := set("beta"), set("gamma")
			close(told)
			var resp acp.SetConfigOptionResponse
			must(t, beta.Wait(t.Context(), &resp))
			if value, values := modelOf(t, resp.ConfigOptions); value != "beta" || !slices.Equal(values, []string{"alpha", "beta"}) {
				t.Errorf("set: %q of %q", value, values)
			}
			if err := gamma.Wait(t.Context(), nil); acp.ErrorCode(err) != acp.CodeInvalidParams {
				t.Errorf("a model that the server doesn't have: %v", err)
			}
			if _, err := e.Prompt(t.Context(), s.SessionID, "well?"); err != nil {
				t.Fatal(err)
			}
			for _, u := range e.Updates(s.SessionID) {
				if u.Kind == acp.UpdateCurrentMode {
					t.Errorf("another model told as a mode: %s", u.Raw)
				}
			}
			for _, replay := range []bool{true, false} {
				e.CloseSession(t.Context(), s.SessionID)
				if value, _ := modelOf(t, e.LoadSession(t.Context(), s.SessionID, dir, replay).ConfigOptions); value != "beta" {
					t.Errorf("gone on with: %q", value)
				}
			}
		})
	}
}
