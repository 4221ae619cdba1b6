package agents

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sort"
	"strings"
)

// shortestSecret is what Secrets gives at least: masking shorter texts would garble everything
// else that is shown.
const shortestSecret = 6

// Secrets lists what must never be shown, logged or saved, longest first, for masking: the API
// key, headers, passwords in URLs, and what came from or goes into environment variables whose
// names say that they hold one. Values under six characters are left out.
func (f File) Secrets() []string { return slices.Clone(f.secrets) }

// secretName reports whether an environment variable probably holds a secret.
func secretName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"key", "token", "secret", "passw", "credential", "auth"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// secret notes a secret, for a header with a scheme ("Bearer …") also what stands after it.
func (w *walker) secret(value string) {
	value = strings.TrimSpace(value)
	if len(value) < shortestSecret {
		return
	}
	w.secrets = append(w.secrets, value)
	if _, rest, ok := strings.Cut(value, " "); ok {
		w.secret(rest)
	}
}

// longestFirst orders secrets so that masking one doesn't cut another.
func longestFirst(secrets []string) []string {
	sort.Slice(secrets, func(i, j int) bool {
		if len(secrets[i]) != len(secrets[j]) {
			return len(secrets[i]) > len(secrets[j])
		}
		return secrets[i] < secrets[j]
	})
	return slices.Compact(secrets)
}

// urlSecrets notes what a URL carries: a password, and parameters that say so of themselves.
func (w *walker) urlSecrets(u *url.URL) {
	password, _ := u.User.Password()
	w.secret(password)
	for name, values := range u.Query() {
		for _, value := range values {
			if secretName(name) {
				w.secret(value)
			}
		}
	}
}

// redacted gives what may be shown of a URL.
func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(not a URL)"
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}

// String names the agent, its model and its server, and no secret.
func (f File) String() string {
	return fmt.Sprintf("agent file %s: title %q, model %q, provider %q, baseURL %q, yolo %t, depth %d",
		f.Path, f.ACPTitle, f.Model, f.Provider, redacted(f.BaseURL), f.Yolo, f.Depth)
}

// String shows no secret.
func (s MCPServer) String() string {
	if s.URL != "" {
		return fmt.Sprintf("MCP server %s at %s", s.Name, redacted(s.URL))
	}
	return fmt.Sprintf("MCP server %s: %s", s.Name, s.Command)
}

// String shows no secret.
func (s LSPServer) String() string { return fmt.Sprintf("language server %s: %s", s.Name, s.Command) }

// String shows no secret.
func (e Entry) String() string {
	return fmt.Sprintf("agent %s: %s", e.Name, e.Path+e.Command)
}

// GoString is String, so that no way of printing shows a secret.
func (f File) GoString() string { return f.String() }

// GoString is String, so that no way of printing shows a secret.
func (s MCPServer) GoString() string { return s.String() }

// GoString is String, so that no way of printing shows a secret.
func (s LSPServer) GoString() string { return s.String() }

// GoString is String, so that no way of printing shows a secret.
func (e Entry) GoString() string { return e.String() }

// LogValue is String.
func (f File) LogValue() slog.Value { return slog.StringValue(f.String()) }

// LogValue is String.
func (s MCPServer) LogValue() slog.Value { return slog.StringValue(s.String()) }

// LogValue is String.
func (s LSPServer) LogValue() slog.Value { return slog.StringValue(s.String()) }

// LogValue is String.
func (e Entry) LogValue() slog.Value { return slog.StringValue(e.String()) }

// MarshalJSON gives String: a file isn't for saving, and its secrets must not slip into one.
func (f File) MarshalJSON() ([]byte, error) { return json.Marshal(f.String()) }

// MarshalJSON gives String.
func (s MCPServer) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// MarshalJSON gives String.
func (s LSPServer) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// MarshalJSON gives String.
func (e Entry) MarshalJSON() ([]byte, error) { return json.Marshal(e.String()) }
