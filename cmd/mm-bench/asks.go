package main

import (
	"strings"
	"time"
)

// rest is what lies between two warm asks that are measured, as an asker's model thinks between them: what mm
// does behind an answer (it closes the session, writes its file, makes the next one) costs CPU, which
// stands in a line of its own, and no waiting.
const rest = 20 * time.Millisecond

// talk is a running agent with a session.
type talk struct {
	*client
	session string
}

func (t talk) ask(text string) error { return t.prompt(t.session, text) }

// talks starts each mm with the agent file of a team.
func (b *bench) talks() ([]talk, error) {
	var all []talk
	for _, binary := range b.mm {
		c, s, err := connect(b.dir, b.env(), binary, "-acp")
		if err != nil {
			return nil, err
		}
		all = append(all, talk{c, s})
	}
	return all, nil
}

func end(all []talk) error {
	for _, t := range all {
		if _, err := t.end(); err != nil {
			return err
		}
	}
	return nil
}

// warmAsk is a user's ask of a child that runs already, beside the reading of the same stream and
// one round trip to the floor's ACP agent.
func (b *bench) warmAsk() ([]row, error) {
	floor, session, err := connect(b.dir, nil, b.floor, "relay", b.model.url)
	if err != nil {
		return nil, err
	}
	all, err := b.talks()
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if err := t.ask("/ask-a1 hi"); err != nil {
			return nil, err
		}
	}
	floorTime, times, err := b.alternate(b.runs*5, rest, talk{floor, session}, "hi", all, "/ask-a1 hi")
	if err != nil {
		return nil, err
	}
	if _, err := floor.end(); err != nil {
		return nil, err
	}
	return rows(times, floorTime), end(all)
}

// alternate asks the floor and each mm in turn, and returns the medians of how long they take.
func (b *bench) alternate(n int, rest time.Duration, floor talk, floorText string, all []talk, text string) (floorTime float64, times []float64, err error) {
	var floors []float64
	values := make([][]float64, len(all))
	for range n {
		for i, t := range all {
			d, err := clocked(t, text, rest)
			if err != nil {
				return 0, nil, err
			}
			values[i] = append(values[i], d)
		}
		d, err := clocked(floor, floorText, rest)
		if err != nil {
			return 0, nil, err
		}
		floors = append(floors, d)
	}
	for _, v := range values {
		times = append(times, median(v))
	}
	return median(floors), times, nil
}

func clocked(t talk, text string, rest time.Duration) (float64, error) {
	time.Sleep(rest) // part of what is measured: an agent at rest
	begin := time.Now()
	err := t.ask(text)
	return ms(time.Since(begin)), err
}

func rows(values []float64, floor float64) []row {
	out := make([]row, len(values))
	for i, v := range values {
		out[i] = row{v, floor, "ms"}
	}
	return out
}

// warmCPU is what a warm ask costs all processes in CPU, what is done behind the answer included, one
// right behind the other.
func (b *bench) warmCPU() ([]row, error) {
	floor, session, err := connect(b.dir, nil, b.floor, "relay", b.model.url)
	if err != nil {
		return nil, err
	}
	all, err := b.talks()
	if err != nil {
		return nil, err
	}
	n := b.runs * 20
	floorTime, err := burnt(talk{floor, session}, "hi", n)
	if err != nil {
		return nil, err
	}
	var times []float64
	for _, t := range all {
		d, err := burnt(t, "/ask-a1 hi", n)
		if err != nil {
			return nil, err
		}
		times = append(times, d)
	}
	if _, err := floor.end(); err != nil {
		return nil, err
	}
	return rows(times, floorTime), end(all)
}

// burnt is the CPU time of one ask in ms, the mean of many.
func burnt(t talk, text string, n int) (float64, error) {
	if err := t.ask(text); err != nil { // the child's start isn't counted
		return 0, err
	}
	before, err := onCPU(t.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	for range n {
		if err := t.ask(text); err != nil {
			return 0, err
		}
	}
	time.Sleep(rest)
	after, err := onCPU(t.cmd.Process.Pid)
	return ms((after - before) / time.Duration(n)), err
}

// side is the time of several asks at once through warm children, beside one ask, on a model that
// takes 300 ms for each.
func (b *bench) side(names []string) func() ([]row, error) {
	return func() ([]row, error) {
		all, err := b.talks()
		if err != nil {
			return nil, err
		}
		one := make([][]float64, len(all))
		several := make([][]float64, len(all))
		for range max(b.runs/2, 3) + 1 { // the first, which starts children, isn't counted
			for i, t := range all {
				for _, x := range []struct {
					text string
					to   *[]float64
				}{{"ask a1 wait 300", &one[i]}, {"ask " + strings.Join(names, ",") + " wait 300", &several[i]}} {
					if err := t.ask("/new"); err != nil { // the loop detector would stop the same asks
						return nil, err
					}
					d, err := clocked(t, x.text, 0)
					if err != nil {
						return nil, err
					}
					*x.to = append(*x.to, d)
				}
			}
		}
		out := make([]row, len(all))
		for i := range all {
			out[i] = row{median(several[i][1:]), median(one[i][1:]), "ms"}
		}
		return out, end(all)
	}
}
