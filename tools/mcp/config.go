package mcp

import (
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/proc"
)

// Server is a server of MCP tools (supplement 1, mcpServers): one to start (Command), or one to
// connect to (URL).
type Server struct {
	Name    string
	Command string // a name to look for on the PATH, or an absolute path
	Args    []string
	Env     map[string]string // added to Options.Env
	URL     string            // of streamable HTTP
	Headers map[string]string // secrets; sent to the host of URL alone
	// Ask is "permission: ask": its tools ask whatever yolo says.
	Ask bool
	// Tools are the only ones to declare, by the server's own names; nil means all.
	Tools []string
}

// String shows no secret.
func (s Server) String() string {
	if s.URL == "" {
		return "MCP server " + s.Name + ": " + s.Command
	}
	return "MCP server " + s.Name + " at " + s.shownURL()
}

// GoString is String, so that no way of printing shows a secret.
func (s Server) GoString() string { return s.String() }

// LogValue is String.
func (s Server) LogValue() slog.Value { return slog.StringValue(s.String()) }

func (s Server) shownURL() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return "(not a URL)"
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}

// mask takes the server's secrets out of a text that it or the network wrote.
func (s Server) mask(text string) string {
	if s.URL != "" {
		text = strings.ReplaceAll(text, s.URL, s.shownURL())
	}
	for _, secret := range s.secrets() {
		if len(secret) >= 6 {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}

func (s Server) secrets() []string {
	var list []string
	for _, v := range s.Headers {
		list = append(list, v)
		if _, rest, ok := strings.Cut(v, " "); ok { // "Bearer …"
			list = append(list, rest)
		}
	}
	if u, err := url.Parse(s.URL); err == nil {
		password, _ := u.User.Password()
		list = append(list, password)
		for _, values := range u.Query() {
			list = append(list, values...)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

// environ is the environment of the server's process: not with the key of the model's server, which
// the server has no use for.
func (s Server) environ(base []string) []string {
	if base == nil {
		base = os.Environ()
	}
	env := slices.DeleteFunc(slices.Clone(base), func(kv string) bool { return strings.HasPrefix(kv, "MM_API_KEY=") })
	names := make([]string, 0, len(s.Env))
	for name := range s.Env {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		env = append(env, name+"="+s.Env[name])
	}
	return env
}

// Options configure Servers.
type Options struct {
	Servers []Server
	// Names is shared by Servers whose tools are declared side by side; nil makes one.
	Names *Names
	// MaxOutput is the size of a result in characters; 0 means no limit.
	MaxOutput int
	// Silence is how long a call waits without an answer or progress, the file's watchdogTimeout; 0
	// waits without end. The watchdog itself waits a little longer, so that the call can say it.
	Silence time.Duration
	// Dir is the folder that servers run in, mm's own when "".
	Dir string
	// Guard is the executable for proc.Spec.Guard; "" runs servers without a guard.
	Guard string
	// Env is the environment that servers get, this process's own when nil.
	Env []string
	// Version is mm's, as servers are told.
	Version string
	// Log gets lines for the log; nil drops them.
	Log func(format string, args ...any)
}

// limits bound every wait and every list.
type limits struct {
	prompt  time.Duration // Tools waits so long for lists (issue: the first prompt isn't held up)
	start   time.Duration // until a server has listed its tools; npx may fetch it first
	stream  time.Duration // for the headers of a stream of a server's own messages
	ping    time.Duration // for a server that was silent to say that it lives
	read    time.Duration // for a resource that a result links to
	again   time.Duration // after a failed start, for the first; doubles up to againMax
	most    time.Duration // the longest of these
	relist  time.Duration // between two lists of a server that keeps changing
	goodbye time.Duration // for the end of a session, over HTTP
	end     proc.Grace    // for the end of a process; both together under the 2 s of supplement 4
	message int           // bytes of one message
	tools   int           // tools of one server
	relists int           // times that the list of one connection changes
}

func defaultLimits() limits {
	return limits{
		prompt: 5 * time.Second, start: 60 * time.Second, stream: 3 * time.Second, ping: 2 * time.Second, read: 10 * time.Second,
		again: 20 * time.Second, most: 10 * time.Minute, relist: 500 * time.Millisecond,
		goodbye: 500 * time.Millisecond, end: proc.Grace{Close: 800 * time.Millisecond, Term: 400 * time.Millisecond},
		message: 16 << 20, tools: 200, relists: 1000,
	}
}
