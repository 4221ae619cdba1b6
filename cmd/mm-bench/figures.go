package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// bench has what the figures need.
type bench struct {
	dir   string
	mm    []string // binaries
	floor string
	model *model
	runs  int
	homes int
}

// figure is a line of the table.
type figure struct {
	name    string
	target  *target
	measure func() ([]row, error)
}

const agents = 32

// files writes the agent files: a lead with a1 … a32, all on the fake model.
func (b *bench) files() error {
	agent := "provider: bench\nbaseURL: " + b.model.url + "\nmodel: bench\ncontextWindow: 1000000\nwatchdogTimeout: 0\n"
	var lead strings.Builder
	lead.WriteString(agent + "maxTurns: 5\nmmConfigs:\n")
	for i := range agents {
		fmt.Fprintf(&lead, "  a%d: agent.yaml\n", i+1)
	}
	full := agent + "bashTool: true\neditTools: true\nfetchContentTool: true\naskUserTool: true\nplanTool: true\n" +
		"mmConfigs:\n  a1: {path: agent.yaml, description: writes the code}\n  a2: {path: agent.yaml, description: reviews it}\n"
	for name, text := range map[string]string{"mm.yaml": lead.String(), "alone.yaml": agent, "agent.yaml": agent, "full.yaml": full} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// env is the environment of an mm, with a folder of its own for sessions: what others have left there
// would cost it.
func (b *bench) env() []string {
	b.homes++
	return append(os.Environ(), "HOME="+b.dir, "XDG_STATE_HOME="+b.state())
}

// state is the folder that env gave last.
func (b *bench) state() string { return filepath.Join(b.dir, fmt.Sprintf("state-%d", b.homes)) }

func (b *bench) figures() []figure {
	wall := func(c cost) float64 { return ms(c.wall) }
	cpu := func(c cost) float64 { return ms(c.cpu) }
	many := names(agents)
	alone := func(args ...string) func(string) (cost, error) {
		return b.command(append(args, "-c", "alone.yaml")...)
	}
	list := []figure{
		{"version (wall)", nil, b.pair(wall, b.command("version"), b.floors("hello"))},
		{"start to session/new (wall)", ratio(4), b.pair(wall, b.start, b.floorStart("acp"))},
		{"one-shot answer (wall)", nil, b.pair(wall, alone("-p", "hi"), b.floors("read", b.model.url))},
		{"one-shot answer (cpu)", nil, b.pair(cpu, alone("-p", "hi"), b.floors("read", b.model.url))},
		{"cold ask (wall)", nil, b.pair(wall, b.command("--ask", "a1", "hi"), b.floors("ask", b.model.url))},
		{"cold ask (cpu)", nil, b.pair(cpu, b.command("--ask", "a1", "hi"), b.floors("ask", b.model.url))},
		{"warm ask (wall)", ratio(2), b.warmAsk},
		{"warm ask (cpu, all processes)", nil, b.warmCPU},
		{"stream of 20,000 chunks (cpu)", ratio(4), b.pair(cpu, alone("-p", "say 20000"), b.floorStream)},
		{"stream of 20,000 over ACP (cpu)", ratio(6), b.pair(cpu, b.prompt("say 20000"), b.floorStream)},
		{"stream of 20,000 through a child (cpu)", ratio(10), b.pair(cpu, b.command("--ask", "a1", "say 20000"), b.floorStream)},
		{"4 asks side by side (wall, beside one)", ratio(1.5), b.side(names(4))},
		{"32 asks side by side (wall, beside one)", ratio(1.5), b.side(many)},
		{"memory idle (PSS)", nil, b.memory(nil)},
		{"memory with 1 child (PSS)", nil, b.memory(names(1))},
		{"memory with 8 children (PSS)", nil, b.memory(names(8))},
		{"memory with 32 children (PSS)", nil, b.memory(many)},
		{"memory of each further child (PSS)", atMost(12, "MB"), b.further(many)},
		{"memory after 1,000 turns (PSS, beside 100)", ratio(1.25), b.turns(1000)},
		{"first request (bytes)", atMost(4000, "B"), b.firstRequest("alone.yaml")},
		{"first request, all tools, two agents (bytes)", atMost(9000, "B"), b.firstRequest("full.yaml")},
	}
	for _, n := range lengths {
		list = append(list, figure{fmt.Sprintf("a turn behind %d messages (wall)", n), grows(n), b.history(n)})
	}
	return list
}

// grows is the target of a turn behind a history: it grows as its floor does, which only sends those bytes.
// Behind a short one the turn itself is most.
func grows(n int) *target {
	if n < 1000 {
		return nil
	}
	return ratio(4)
}

func names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("a%d", i+1)
	}
	return out
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// pair measures mm and its floor alternately and takes medians.
func (b *bench) pair(of func(cost) float64, mm func(binary string) (cost, error), floor func() (cost, error)) func() ([]row, error) {
	return func() ([]row, error) {
		values := make([][]float64, len(b.mm))
		var floors []float64
		for range b.runs {
			for i, binary := range b.mm {
				c, err := mm(binary)
				if err != nil {
					return nil, err
				}
				values[i] = append(values[i], of(c))
			}
			c, err := floor()
			if err != nil {
				return nil, err
			}
			floors = append(floors, of(c))
		}
		var medians []float64
		for _, v := range values {
			medians = append(medians, median(v))
		}
		return rows(medians, median(floors)), nil
	}
}

// command runs mm with arguments.
func (b *bench) command(args ...string) func(string) (cost, error) {
	return func(binary string) (cost, error) {
		return spend(b.dir, b.env(), append([]string{binary}, args...)...)
	}
}

func (b *bench) floors(args ...string) func() (cost, error) {
	return func() (cost, error) { return spend(b.dir, nil, append([]string{b.floor}, args...)...) }
}

// floorStream is the plain reading of the long stream.
func (b *bench) floorStream() (cost, error) { return b.floors("read", b.model.url, "say 20000")() }

// start is the time until an editor could ask.
func (b *bench) start(binary string) (cost, error) {
	return b.ready(binary, "-acp", "-c", "alone.yaml")
}

func (b *bench) ready(args ...string) (cost, error) {
	begin := time.Now()
	c, _, err := connect(b.dir, b.env(), args...)
	if err != nil {
		return cost{}, err
	}
	spent := cost{wall: time.Since(begin)}
	_, err = c.end()
	return spent, err
}

func (b *bench) floorStart(mode string) func() (cost, error) {
	return func() (cost, error) { return b.ready(b.floor, mode) }
}

// prompt is one prompt over ACP, from the start to the end of the process.
func (b *bench) prompt(text string) func(string) (cost, error) {
	return func(binary string) (cost, error) {
		c, session, err := connect(b.dir, b.env(), binary, "-acp", "-c", "alone.yaml")
		if err != nil {
			return cost{}, err
		}
		if err := c.prompt(session, text); err != nil {
			return cost{}, err
		}
		return c.end()
	}
}
