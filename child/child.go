// Package child is one running ACP agent: a process that is started, asked through one new session
// for each task, and ended. It turns what the agent does into the asker's events and permission
// requests, under the agent's name.
//
// A Client serves several asks at the same time. The connection's read loop only hands items over;
// each Ask's own goroutine passes them on in order, so that a slow front end slows the agent and
// nothing else.
package child

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/proc"
)

// Command says how an agent is started.
type Command struct {
	Name string // the agent's name, the first step of its calls' paths
	Path string // program: a path, or a name on the PATH
	Args []string
	Env  []string // the whole environment
	Dir  string   // "" for mm's own working directory
	// MM marks a child that is mm itself: it ends by itself when its stdin closes. Others run
	// under a guard.
	MM bool
	// Executable is this program, for guards; "" starts without one.
	Executable string
	Version    string // of mm, told to the agent
	// Depth is how many askers stand above the one that starts it: the deeper, the less time it gets
	// to end, so that each level can end its own in time.
	Depth int
	// StartTimeout bounds start and initialize; 15 s when 0.
	StartTimeout time.Duration
	// Log gets what the agent prints where only ACP belongs; may be nil.
	Log func(format string, args ...any)
	// Questions reports whether the asker's user can be asked questions; nil means no.
	Questions func() bool
	// Files reports whether tasks bring files of their own; nil means no. Agents of other makes aren't
	// offered them: what they write there would pass no gate.
	Files func() bool
	// Skips is called once when an agent of another make has changed something without asking, and
	// Asks once when it asks before it changes something and hasn't done so without.
	Skips, Asks func()
}

// Client is a running agent.
type Client struct {
	cmd   Command
	proc  *proc.Process
	conn  *acp.Conn
	info  acp.InitializeResponse
	skips atomic.Bool // it is known to act without asking
	asked atomic.Bool // it is known to ask

	complaints atomic.Int32

	mu         sync.Mutex
	asks       map[string]*ask // guarded by mu: by session id, those of sub-agents included
	opening    int             // guarded by mu: session/new requests under way
	early      []item          // guarded by mu: what came for sessions not known yet
	earlyBytes int64           // guarded by mu
	spare      *opening        // guarded by mu: the session of the next ask, made ahead
	closed     bool            // guarded by mu: nothing more begins in the background

	slow       slow           // when the agent had to wait for us
	background sync.WaitGroup // requests that no ask waits for
	fate       fate           // why the agent can't be asked any more
	gone       chan struct{}  // closed when watch has ended
}

// What is kept for sessions whose session/new has not been answered yet is bounded.
const (
	maxEarly      = 256
	maxEarlyBytes = 1 << 20
)

// maxInterrupted bounds how often a start is tried again that a Ctrl-C had hit: between its fork and
// its own session a process belongs to the terminal's foreground group, as mm does.
const maxInterrupted = 10

// Start starts the agent and initializes it. The error says in one line why it can't be used.
func Start(ctx context.Context, cmd Command) (*Client, error) {
	if cmd.Log == nil {
		cmd.Log = func(string, ...any) {}
	}
	for tries := 0; ; tries++ {
		c, err := start(ctx, cmd)
		if err == nil {
			return c, nil
		}
		if c == nil || c.proc.Exit().Signal != syscall.SIGINT || tries == maxInterrupted || ctx.Err() != nil {
			return nil, err
		}
	}
}

// start starts the agent once. With an error it returns the Client, if there was one, closed.
func start(ctx context.Context, cmd Command) (*Client, error) {
	spec := cmd.spec()
	spec.StdinPipe, spec.StdoutPipe = true, true
	if !cmd.MM {
		spec.Guard, spec.Whole = cmd.Executable, true
	}
	p, err := proc.Start(spec)
	if err != nil {
		return nil, err
	}
	c := &Client{cmd: cmd, proc: p, asks: map[string]*ask{}, fate: fate{known: make(chan struct{})}, gone: make(chan struct{})}
	// Stdin is closed with the process, by watch at the latest: an agent that has closed its output
	// must not be told to end before it is known that it hasn't ended by itself.
	c.conn = acp.NewConn(p.Stdout, p.Stdin, p.Stdout.Close, handler{c}, acp.Options{
		Side:    acp.Client,
		OnNoise: func(line string) { c.complain("printed %q where only ACP belongs", line) },
	})
	go c.watch()
	if err := c.initialize(ctx); err != nil {
		err = c.why(err)
		c.Close()
		return c, err
	}
	return c, nil
}

func (c *Client) initialize(ctx context.Context) error {
	limit := c.cmd.StartTimeout
	if limit == 0 {
		limit = 15 * time.Second
	}
	start, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := c.conn.Call(start, acp.MethodInitialize, acp.InitializeRequest{
		ProtocolVersion:    acp.Version,
		ClientCapabilities: c.capabilities(),
		ClientInfo:         &acp.Implementation{Name: "mm", Version: c.cmd.Version},
		Meta:               acp.MetaOf(acp.MetaKey, acp.AskerMeta{Depth: c.cmd.Depth + 1}),
	}, &c.info)
	switch {
	case err != nil && ctx.Err() == nil && start.Err() != nil:
		return fmt.Errorf("did not answer initialize within %v%s", limit, lastLines(c.proc.Tail()))
	case err != nil:
		return err
	case c.info.ProtocolVersion != acp.Version:
		return fmt.Errorf("speaks version %d of ACP, mm speaks %d", c.info.ProtocolVersion, acp.Version)
	}
	return nil
}

// capabilities are what is offered to the agent: no more than the asker's own front end gives.
func (c *Client) capabilities() acp.ClientCapabilities {
	caps := acp.ClientCapabilities{
		Session:   &acp.ClientSessionCapabilities{Notices: &acp.Capability{}},
		Subagents: &acp.Capability{},
		Auth:      acp.ClientAuthCapabilities{Terminal: true}, // the person is told what to run
	}
	if c.questions() {
		caps.Elicitation = &acp.ElicitationCapabilities{Form: &acp.Capability{}}
	}
	if c.files() {
		caps.FS = acp.FSCapabilities{ReadTextFile: true, WriteTextFile: true}
	}
	return caps
}

func (c *Client) questions() bool { return c.cmd.Questions != nil && c.cmd.Questions() }

func (c *Client) files() bool { return c.cmd.MM && c.cmd.Files != nil && c.cmd.Files() }

// spec is the process of the agent.
func (c Command) spec() proc.Spec {
	return proc.Spec{Path: c.Path, Name: c.argv0(), Args: c.Args, Env: c.Env, Dir: c.Dir}
}

// Check says in plain words why the agent can't be started, as far as that can be seen without starting
// it; nil otherwise.
func (c Command) Check() error { return proc.Check(c.spec()) }

// argv0 is how a child of mm's own make calls itself, instead of the path of this process's file.
func (c Command) argv0() string {
	if c.MM {
		return "mm"
	}
	return ""
}

// Pid is the agent's process id.
func (c *Client) Pid() int { return c.proc.Pid() }

// Info is what the agent told about itself.
func (c *Client) Info() acp.InitializeResponse { return c.info }

// Alive reports whether the agent can be asked.
func (c *Client) Alive() bool {
	select {
	case <-c.conn.Done():
		return false
	case <-c.proc.Done():
		return false
	case <-c.fate.known:
		return false
	default:
		return true
	}
}

// maxComplaints bounds the lines of an agent that are logged: some print all their lives.
const maxComplaints = 50

// complain logs what the agent sent that is no message, or none that can be read. The read loop
// calls it.
func (c *Client) complain(format string, args ...any) {
	switch n := c.complaints.Add(1); {
	case n <= maxComplaints:
		c.cmd.Log(c.cmd.Name+" "+format, args...)
	case n == maxComplaints+1:
		c.cmd.Log("%s goes on like this: no more of it is logged", c.cmd.Name)
	}
}

// lastLines is the end of a child's stderr in one line, to follow a reason.
func lastLines(tail string) string {
	var kept []string
	for _, l := range strings.Split(tail, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			kept = append(kept, l)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return ": " + strings.Join(kept[max(0, len(kept)-3):], " / ")
}

// shellName is how people know the command: its base name.
func (c Command) shellName() string { return filepath.Base(c.Path) }
