package main

import (
	"path/filepath"
	"strings"
)

// memory is what the whole tree takes after the named children have answered.
func (b *bench) memory(names []string) func() ([]row, error) {
	return b.each(func(t talk) (row, error) {
		r := row{unit: "MB"}
		if len(names) > 0 {
			if err := t.ask("ask " + strings.Join(names, ",") + " hi"); err != nil {
				return r, err
			}
		}
		var err error
		r.mm, err = t.mb()
		return r, err
	})
}

// further is what each child beyond the first takes.
func (b *bench) further(names []string) func() ([]row, error) {
	return b.each(func(t talk) (row, error) {
		r := row{unit: "MB"}
		if err := t.ask("ask " + names[0] + " hi"); err != nil {
			return r, err
		}
		one, err := t.mb()
		if err != nil {
			return r, err
		}
		if err := t.ask("ask " + strings.Join(names[1:], ",") + " hi"); err != nil {
			return r, err
		}
		all, err := t.mb()
		r.mm = (all - one) / float64(len(names)-1)
		return r, err
	})
}

// turns is what the tree takes after so many turns of one conversation, beside a tenth of them.
func (b *bench) turns(n int) func() ([]row, error) {
	return b.each(func(t talk) (row, error) {
		r := row{unit: "MB"}
		for i := range n {
			if i == n/10 {
				var err error
				if r.floor, err = t.mb(); err != nil {
					return r, err
				}
			}
			if err := t.ask("hi"); err != nil {
				return r, err
			}
		}
		var err error
		r.mm, err = t.mb()
		return r, err
	})
}

// each measures one mm after the other.
func (b *bench) each(measure func(talk) (row, error)) func() ([]row, error) {
	return func() ([]row, error) {
		var out []row
		for _, binary := range b.mm {
			c, s, err := connect(b.dir, b.env(), binary, "-acp")
			if err != nil {
				return nil, err
			}
			r, err := measure(talk{c, s})
			if err != nil {
				return nil, err
			}
			if _, err := c.end(); err != nil {
				return nil, err
			}
			out = append(out, r)
		}
		return out, nil
	}
}

func (c *client) mb() (float64, error) {
	total, err := pss(c.cmd.Process.Pid)
	return float64(total) / (1 << 20), err
}

// firstRequest is the size of the first request's body.
func (b *bench) firstRequest(file string) func() ([]row, error) {
	return func() ([]row, error) {
		var out []row
		for _, binary := range b.mm {
			if _, err := spend(b.dir, b.env(), binary, "-p", "hi", "-c", filepath.Join(b.dir, file)); err != nil {
				return nil, err
			}
			out = append(out, row{mm: float64(b.model.lastBytes()), unit: "B"})
		}
		return out, nil
	}
}
