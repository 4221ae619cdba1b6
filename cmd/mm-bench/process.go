package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// cost is what a process took: wall time, CPU time of itself and what it waited for.
type cost struct{ wall, cpu time.Duration }

// spend runs a command to its end.
func spend(dir string, env []string, args ...string) (cost, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, env
	start := time.Now()
	out, err := cmd.CombinedOutput()
	c := cost{wall: time.Since(start)}
	if err != nil {
		return c, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
	}
	c.cpu = cpuOf(cmd)
	return c, nil
}

func cpuOf(cmd *exec.Cmd) time.Duration {
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return 0
}

// client is the least ACP client there can be.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// start starts an agent and initializes it.
func start(dir string, env []string, args ...string) (*client, error) {
	c := &client{cmd: exec.Command(args[0], args[1:]...)}
	c.cmd.Dir, c.cmd.Env = dir, env
	c.cmd.Stderr = os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = c.call("initialize", `{"protocolVersion":1,"clientCapabilities":{}}`)
	return c, err
}

// connect starts an agent and makes a session.
func connect(dir string, env []string, args ...string) (*client, string, error) {
	c, err := start(dir, env, args...)
	if err != nil {
		return nil, "", err
	}
	res, err := c.call("session/new", fmt.Sprintf(`{"cwd":%q,"mcpServers":[]}`, dir))
	if err != nil {
		return nil, "", err
	}
	var s struct{ SessionID string }
	return c, s.SessionID, json.Unmarshal(res, &s)
}

// resume goes on with a saved session.
func (c *client) resume(session, cwd string) error {
	_, err := c.call("session/resume", fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"mcpServers":[]}`, session, cwd))
	return err
}

func (c *client) prompt(session, text string) error {
	_, err := c.call("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":%q}]}`, session, text))
	return err
}

// call sends a request and reads until its answer; updates are read and dropped.
func (c *client) call(method, params string) (json.RawMessage, error) {
	c.id++
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.id, method, params); err != nil {
		return nil, err
	}
	mark := []byte(fmt.Sprintf(`"id":%d,`, c.id))
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		if !bytes.Contains(line[:min(len(line), 60)], mark) {
			continue
		}
		var f struct {
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &f); err != nil {
			return nil, err
		}
		if f.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, f.Error)
		}
		return f.Result, nil
	}
}

// end closes the agent and returns what it took.
func (c *client) end() (cost, error) {
	_ = c.in.Close()
	_, _ = io.Copy(io.Discard, c.out)
	if err := c.cmd.Wait(); err != nil {
		return cost{}, err
	}
	return cost{cpu: cpuOf(c.cmd)}, nil
}
