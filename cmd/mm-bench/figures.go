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
}

// row is a figure of one binary: a value beside its floor, in the same unit.
type row struct {
	mm, floor float64
	unit      string // ms, MB, B
}

func (r row) line(name, target string) string {
	ratio, floor := "", ""
	if r.floor > 0 {
		ratio = fmt.Sprintf("%.1f×", r.mm/r.floor)
		floor = fmt.Sprintf("%.1f %s", r.floor, r.unit)
	}
	return fmt.Sprintf("%-44s %12s %12s %7s %s", name, fmt.Sprintf("%.1f %s", r.mm, r.unit), floor, ratio, target)
}

// figure is a line of the table.
type figure struct {
	name    string
	target  string
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
	if err := os.WriteFile(filepath.Join(b.dir, "mm.yaml"), []byte(lead.String()), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(b.dir, "alone.yaml"), []byte(agent), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.dir, "agent.yaml"), []byte(agent), 0o600)
}

func (b *bench) env() []string {
	return append(os.Environ(), "HOME="+b.dir, "XDG_STATE_HOME="+filepath.Join(b.dir, "state"))
}

func (b *bench) figures() []figure {
	wall := func(c cost) float64 { return ms(c.wall) }
	cpu := func(c cost) float64 { return ms(c.cpu) }
	many := names(agents)
	return []figure{
		{"version (wall)", "", b.pair(wall, b.command("version"), b.floors("hello"))},
		{"start to session/new (wall)", "≤ 4×", b.pair(wall, b.start, b.floorStart("acp"))},
		{"one-shot answer (wall)", "", b.pair(wall, b.command("-p", "hi", "-c", "alone.yaml"), b.floors("read", b.model.url))},
		{"one-shot answer (cpu)", "", b.pair(cpu, b.command("-p", "hi", "-c", "alone.yaml"), b.floors("read", b.model.url))},
		{"cold ask (wall)", "", b.pair(wall, b.command("--ask", "a1", "hi"), b.floors("read", b.model.url))},
		{"cold ask (cpu)", "", b.pair(cpu, b.command("--ask", "a1", "hi"), b.floors("read", b.model.url))},
		{"warm ask (wall)", "≤ 2×", b.warmAsk},
		{"stream of 20,000 chunks (cpu)", "≤ 4×", b.pair(cpu, b.command("-p", "say 20000", "-c", "alone.yaml"), b.floorStream)},
		{"stream of 20,000 over ACP (cpu)", "≤ 6×", b.pair(cpu, b.prompt("say 20000"), b.floorStream)},
		{"stream of 20,000 through a child (cpu)", "≤ 10×", b.pair(cpu, b.command("--ask", "a1", "say 20000"), b.floorStream)},
		{"4 asks side by side (wall)", "", b.side(names(4))},
		{"32 asks side by side (wall, beside one)", "≤ 1.5×", b.side(many)},
		{"memory idle (PSS)", "", b.memory(nil, 0)},
		{"memory with 1 child (PSS)", "", b.memory(names(1), 0)},
		{"memory with 8 children (PSS)", "", b.memory(names(8), 0)},
		{"memory with 32 children (PSS)", "≤ 12 MB a child", b.memory(many, 0)},
		{"memory after 1,000 turns (PSS, beside 100)", "flat", b.memory(nil, 1000)},
		{"first request (bytes)", "< 4,000", b.firstRequest("alone.yaml")},
	}
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
		rows := make([]row, len(b.mm))
		for i := range rows {
			rows[i] = row{median(values[i]), median(floors), "ms"}
		}
		return rows, nil
	}
}

// command runs mm with arguments.
func (b *bench) command(args ...string) func(string) (cost, error) {
	return func(binary string) (cost, error) {
		return spend(b.dir, b.env(), "", append([]string{binary}, args...)...)
	}
}

func (b *bench) floors(args ...string) func() (cost, error) {
	return func() (cost, error) { return spend(b.dir, nil, "", append([]string{b.floor}, args...)...) }
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
