//go:build linux

package faults

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// agentEnv makes the test binary an ACP agent that misbehaves. Its value lists what it does wrong
// from the start, by commas; what it does in a turn is the prompt (see act in tricks_test.go).
const agentEnv = "MM_FAULTS_AGENT"

// What an agent does wrong from the start.
const (
	banners     = "banners"     // prints what is no message before, between and within lines
	early       = "early"       // sends updates of a session before the answer that names it
	mute        = "mute"        // never answers initialize
	sessionless = "sessionless" // never answers session/new
	login       = "login"       // wants a login
	logins      = "logins"      // tells how to log in, where that can be done
	willful     = "willful"     // has only a mode in which it doesn't ask
	otherACP    = "version"     // speaks version 7
	stubborn    = "stubborn"    // ends neither on the end of stdin nor on SIGTERM, nor do its children
	forking     = "forking"     // starts a process of its own
	modes       = "modes"       // begins in a mode in which it doesn't ask
	settings    = "settings"    // the same as a config option, as newer agents have it
)

// agent is the misbehaving agent. It writes lines by hand, since no library would send them.
type agent struct {
	wrong []string
	deaf  chan struct{} // closed when nothing more is to be read

	mu  sync.Mutex
	out *os.File // guarded by mu

	state    sync.Mutex
	sessions int                             // guarded by state
	cancels  map[string]chan struct{}        // guarded by state: by session; closed by session/cancel
	calls    map[string]chan json.RawMessage // guarded by state: our requests, by id
	nextID   int                             // guarded by state
}

// playAgent is the agent's main.
func playAgent(behaviour string) int {
	a := &agent{wrong: strings.Split(behaviour, ","), out: os.Stdout, deaf: make(chan struct{}), cancels: map[string]chan struct{}{}, calls: map[string]chan json.RawMessage{}}
	if a.does(stubborn) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	}
	if a.does(forking) {
		a.fork()
	}
	if a.does(banners) {
		a.raw("Welcome to \x1b[1;32mSomeAgent\x1b[0m 1.0!\r\n\r\n   \n\x1b[2J{not json\n")
	}
	a.serve(os.Stdin)
	if a.does(stubborn) {
		forever()
	}
	return 0
}

// forever never returns. An empty select would be a deadlock in the runtime's eyes.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

func (a *agent) does(what string) bool { return slices.Contains(a.wrong, what) }

// fork starts a process of the agent's own and writes its pid to a file; a stubborn agent's ignores
// SIGTERM as well, since what is ignored stays so in children.
func (a *agent) fork() {
	cmd := exec.Command("sleep", "300")
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	started("fork", cmd.Process.Pid)
}

// started notes in the test's folder that something runs.
func started(name string, pid int) {
	dir := os.Getenv("D")
	_ = os.WriteFile(dir+"/."+name, fmt.Appendf(nil, "%d\n", pid), 0o600)
	_ = os.Rename(dir+"/."+name, dir+"/"+name)
}

// frame is what the agent reads.
type frame struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		SessionID string `json:"sessionId"`
		Prompt    []struct {
			Text string `json:"text"`
		} `json:"prompt"`
		ModeID   string `json:"modeId"`
		ConfigID string `json:"configId"`

		ClientCapabilities struct {
			Auth struct{ Terminal bool }
		}
		Value string `json:"value"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (a *agent) serve(in io.Reader) {
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadBytes('\n')
		var f frame
		if json.Unmarshal(line, &f) == nil {
			a.take(f)
		}
		select {
		case <-a.deaf:
			forever()
		default:
		}
		if err != nil {
			return
		}
	}
}

func (a *agent) take(f frame) {
	switch f.Method {
	case "initialize":
		switch {
		case a.does(mute):
		case a.does(otherACP):
			a.result(f.ID, `{"protocolVersion":7}`)
		default:
			methods := ""
			if a.does(logins) && f.Params.ClientCapabilities.Auth.Terminal {
				methods = `{"type":"terminal","id":"t","name":"Log in","args":["login","--now"],"env":{"A":"b c"}}`
			}
			a.result(f.ID, `{"protocolVersion":1,"agentCapabilities":{},"authMethods":[`+methods+`]}`)
		}
	case "session/new":
		a.newSession(f)
	case "session/prompt":
		text := ""
		for _, b := range f.Params.Prompt {
			text += b.Text
		}
		go a.prompt(f.ID, f.Params.SessionID, text)
	case "session/cancel":
		a.cancel(f.Params.SessionID)
	case "":
		a.answered(f)
	case "session/set_mode", "session/set_config_option":
		a.setUp(f)
	default:
		a.line(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, f.ID)
	}
}

func (a *agent) newSession(f frame) {
	switch {
	case a.does(sessionless):
		return
	case a.does(login):
		a.line(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"Authentication required"}}`, f.ID)
		return
	}
	a.state.Lock()
	a.sessions++
	id := fmt.Sprintf("s%d", a.sessions)
	a.cancels[id] = make(chan struct{})
	a.state.Unlock()
	if a.does(early) {
		a.text(id, "early. ")
		a.update(id, `{"sessionUpdate":"available_commands_update","availableCommands":[]}`)
	}
	a.result(f.ID, fmt.Sprintf(`{"sessionId":%q%s}`, id, a.offered("acceptEdits")))
}

// offered is what the agent offers to set up, as it stands in the answer to session/new.
func (a *agent) offered(current string) string {
	offer := ""
	if a.does(willful) {
		offer += `,"modes":{"currentModeId":"yolo","availableModes":[{"id":"yolo","name":"YOLO"}]}`
	}
	if a.does(modes) {
		offer += fmt.Sprintf(`,"modes":{"currentModeId":%q,"availableModes":[{"id":"acceptEdits","name":"Accept edits"},{"id":"default","name":"Default"}]}`, current)
	}
	if a.does(settings) {
		offer += fmt.Sprintf(`,"configOptions":[{"type":"select","id":"m","name":"Model","category":"model","currentValue":"default","options":[]},`+
			`{"type":"select","id":"permissions","name":"Mode","category":"mode","currentValue":%q,"options":[{"value":"acceptEdits","name":"Accept edits"},{"value":"default","name":"Default"}]}]`, current)
	}
	return offer
}

// setUp tells the test's folder what was set up.
func (a *agent) setUp(f frame) {
	_ = os.WriteFile(os.Getenv("D")+"/setup", fmt.Appendf(nil, "%s %s%s %s", f.Method, f.Params.ConfigID, f.Params.ModeID, f.Params.Value), 0o600)
	a.result(f.ID, "{"+strings.TrimPrefix(a.offered("default"), ",")+"}")
}

// cancel marks a session's turn as cancelled.
func (a *agent) cancel(id string) {
	a.state.Lock()
	defer a.state.Unlock()
	select {
	case <-a.cancels[id]:
	default:
		close(a.cancels[id])
	}
}

func (a *agent) cancelled(id string) chan struct{} {
	a.state.Lock()
	defer a.state.Unlock()
	return a.cancels[id]
}

// call sends a request and returns where its result arrives.
func (a *agent) call(method, params string) chan json.RawMessage {
	a.state.Lock()
	a.nextID++
	id := fmt.Sprint(a.nextID)
	c := make(chan json.RawMessage, 1)
	a.calls[id] = c
	a.state.Unlock()
	a.line(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
	return c
}

func (a *agent) answered(f frame) {
	a.state.Lock()
	c := a.calls[string(f.ID)]
	delete(a.calls, string(f.ID))
	a.state.Unlock()
	switch {
	case c == nil:
	case f.Error != nil:
		c <- f.Error
	default:
		c <- f.Result
	}
}

// raw writes bytes as they are.
func (a *agent) raw(s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, _ = io.WriteString(a.out, s)
}

func (a *agent) line(format string, args ...any) {
	s := fmt.Sprintf(format, args...) + "\n"
	if a.does(banners) {
		s = "\r\n\x1b[33mnote:\x1b[0m working\n \n[12:00] " + s // the last stands before a message, on its line
	}
	a.raw(s)
}

func (a *agent) result(id json.RawMessage, result string) {
	a.line(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// update sends a session/update.
func (a *agent) update(session, update string) {
	a.line(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":%s}}`, session, update)
}

func (a *agent) text(session, text string) {
	a.update(session, fmt.Sprintf(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%q}}`, text))
}
