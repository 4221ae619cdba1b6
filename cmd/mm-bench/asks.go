package main

import (
	"fmt"

	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// warmAsk is a user's ask of a child that runs already, beside the reading of the same stream and
// one round trip to the floor's ACP agent.
func (b *bench) warmAsk() ([]row, error) {
	floor, session, err := connect(b.dir, nil, b.floor, "relay", b.model.url)
	if err != nil {
		return nil, err
	}
	var floors []float64
	values := make([][]float64, len(b.mm))
	type warm struct {
		*client
		session string
	}
	var all []warm
	for _, binary := range b.mm {
		c, s, err := connect(b.dir, b.env(), binary, "-acp")
		if err != nil {
			return nil, err
		}
		if err := c.prompt(s, "/ask-a1 hi"); err != nil {
			return nil, err
		}
		all = append(all, warm{c, s})
	}
	for range b.runs * 5 {
		for i, w := range all {
			begin := time.Now()
			if err := w.prompt(w.session, "/ask-a1 hi"); err != nil {
				return nil, err
			}
			values[i] = append(values[i], ms(time.Since(begin)))
		}
		begin := time.Now()
		if err := floor.prompt(session, "hi"); err != nil {
			return nil, err
		}
		floors = append(floors, ms(time.Since(begin)))
	}
	if _, err := floor.end(); err != nil {
		return nil, err
	}
	rows := make([]row, len(b.mm))
	for i, w := range all {
		if _, err := w.end(); err != nil {
			return nil, err
		}
		rows[i] = row{median(values[i]), median(floors), "ms"}
	}
	return rows, nil
}

// side is the time of several asks at once through warm children, beside one ask, on a model that
// takes 300 ms for each.
func (b *bench) side(names []string) func() ([]row, error) {
	return func() ([]row, error) {
		var rows []row
		for _, binary := range b.mm {
			c, s, err := connect(b.dir, b.env(), binary, "-acp")
			if err != nil {
				return nil, err
			}
			one, err := b.timed(c, s, "ask a1 wait 300")
			if err != nil {
				return nil, err
			}
			several, err := b.timed(c, s, "ask "+strings.Join(names, ",")+" wait 300")
			if err != nil {
				return nil, err
			}
			if _, err := c.end(); err != nil {
				return nil, err
			}
			rows = append(rows, row{several, one, "ms"})
		}
		return rows, nil
	}
}

// timed is the median of some runs of a prompt; the first, which starts children, isn't counted.
func (b *bench) timed(c *client, session, text string) (float64, error) {
	var values []float64
	for i := range 6 {
		if err := c.prompt(session, "/new"); err != nil { // the loop detector would stop the same asks
			return 0, err
		}
		begin := time.Now()
		if err := c.prompt(session, text); err != nil {
			return 0, err
		}
		if i > 0 {
			values = append(values, ms(time.Since(begin)))
		}
	}
	return median(values), nil
}

// memory is what the whole tree takes after the named children have answered, or after turns turns
// beside a tenth of them.
func (b *bench) memory(names []string, turns int) func() ([]row, error) {
	return func() ([]row, error) {
		if runtime.GOOS != "linux" {
			return nil, fmt.Errorf("memory is read from /proc")
		}
		var rows []row
		for _, binary := range b.mm {
			r, err := b.memoryOf(binary, names, turns)
			if err != nil {
				return nil, err
			}
			rows = append(rows, r)
		}
		return rows, nil
	}
}

func (b *bench) memoryOf(binary string, names []string, turns int) (row, error) {
	c, s, err := connect(b.dir, b.env(), binary, "-acp")
	if err != nil {
		return row{}, err
	}
	r := row{unit: "MB"}
	if len(names) > 0 {
		if err := c.prompt(s, "ask "+strings.Join(names, ",")+" hi"); err != nil {
			return row{}, err
		}
	}
	for i := range turns {
		if i == turns/10 {
			r.floor = mb(c)
		}
		if err := c.prompt(s, "/new"); err != nil {
			return row{}, err
		}
		if err := c.prompt(s, "hi"); err != nil {
			return row{}, err
		}
	}
	r.mm = mb(c)
	_, err = c.end()
	return r, err
}

func mb(c *client) float64 {
	total, _ := pss(c.cmd.Process.Pid)
	return float64(total) / (1 << 20)
}

// firstRequest is the size of the first request's body.
func (b *bench) firstRequest(file string) func() ([]row, error) {
	return func() ([]row, error) {
		var rows []row
		for _, binary := range b.mm {
			if _, err := spend(b.dir, b.env(), "", binary, "-p", "hi", "-c", filepath.Join(b.dir, file)); err != nil {
				return nil, err
			}
			rows = append(rows, row{mm: float64(b.model.lastBytes()), unit: "B"})
		}
		return rows, nil
	}
}
