package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mini-me/mm/internal/session"
)

// lengths are those of the histories that a turn is measured behind, in messages.
var lengths = []int{10, 100, 1000, 10_000}

// history is a turn behind a saved conversation of n messages, beside a floor that sends as many bytes
// and reads the same answer.
func (b *bench) history(n int) func() ([]row, error) {
	return func() ([]row, error) {
		floor, session, err := connect(b.dir, nil, b.floor, "relay", b.model.url, fmt.Sprint(n), said)
		if err != nil {
			return nil, err
		}
		var all []talk
		for _, binary := range b.mm {
			env, id := b.env(), "long"
			b.save(id, n)
			c, err := start(b.dir, env, binary, "-acp", "-c", "alone.yaml")
			if err != nil {
				return nil, err
			}
			if err := c.resume(id, b.dir); err != nil {
				return nil, err
			}
			all = append(all, talk{c, id})
		}
		for _, t := range append(all, talk{floor, session}) {
			if err := t.ask("hi"); err != nil { // the first encodes what was saved
				return nil, err
			}
		}
		floorTime, times, err := b.alternate(b.runs*2, rest, talk{floor, session}, "hi", all, "hi")
		if err != nil {
			return nil, err
		}
		if _, err := floor.end(); err != nil {
			return nil, err
		}
		return rows(times, floorTime), end(all)
	}
}

// said is what stands in each message of a long history.
var said = strings.Repeat("The quick brown fox jumps over the lazy dog. ", 5)

// save writes a session of n messages.
func (b *bench) save(id string, n int) {
	store := session.NewStore(filepath.Join(b.state(), "mm", "sessions"))
	w := store.Create(session.Info{ID: id, Cwd: b.dir, Agent: filepath.Join(b.dir, "alone.yaml")}, session.Options{})
	var list []session.Message
	for i := range n {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		list = append(list, session.Message{Role: role, Content: said})
	}
	w.Append(list...)
	w.Close()
}
