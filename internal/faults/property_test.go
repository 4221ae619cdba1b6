//go:build linux

package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/mmtest"
)

// world is a team that lives for many seeds: the root is in this process, all below are processes.
type world struct {
	t  testing.TB
	h  *house
	m  *models
	e  *engine.Engine
	id int // ids of calls are told apart over all seeds

	witnesses map[int]*witness // by call
	below     map[string]string
}

// newWorld starts a root whose agents below are the given mm.
func newWorld(t testing.TB, binary string) *world {
	m := newModels(t, play)
	w := &world{t: t, m: m, witnesses: map[int]*witness{}, below: map[string]string{"jan": "jan", "kim": "kim", "homer": "homer"}}
	team := "mmConfigs: {homer: homer.yaml}\naudit: "
	w.h = newHouse(t, binary, map[string]string{
		"mm.yaml":    m.agent("root", "yolo: false\nmmConfigs: {jan: jan.yaml, kim: kim.yaml}"),
		"jan.yaml":   m.agent("jan", team+"audit.jan"),
		"kim.yaml":   m.agent("kim", team+"audit.kim"),
		"homer.yaml": m.agent("homer", "audit: audit.homer"),
	})
	env := agents.Env{Home: w.h.dir, Dir: w.h.dir}
	f, err := agents.Load(w.h.path("mm.yaml"), env)
	if err != nil {
		t.Fatal(err)
	}
	w.e, err = engine.New(engine.Options{File: f, Version: "test", Executable: binary, Env: w.h.env(), AgentEnv: env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.e.Close)
	return w
}

// run plays one seed.
func (w *world) run(seed uint64) {
	w.t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	g := &generator{r: r, next: w.id, keys: map[int]string{}}
	p := g.program("", []string{"jan", "kim"})
	w.id = g.next
	x := newWitness(w.t, seed, g.keys)
	for id := range g.keys {
		w.witnesses[id] = x
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	defer cancel()
	w.plan(r, x, cancel)
	s, err := w.e.NewSession(engine.SessionOptions{Cwd: w.h.dir, Sink: x, Asker: x, Audit: x})
	if err != nil {
		w.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Ask(ctx, "id-0. "+encode(p))
	}()
	select {
	case <-done:
	case <-time.After(mmtest.Patience):
		w.t.Fatalf("seed %d hangs:\n%s", seed, x.story())
	}
	x.check(s.Gate())
	s.Close()
}

// plan chooses what goes wrong, and when: a cancel, a death, or nothing.
func (w *world) plan(r *rand.Rand, x *witness, cancel func()) {
	switch r.IntN(6) {
	case 0:
	case 1, 2:
		x.act = cancel
	case 3, 4:
		name := []string{"jan", "kim", "homer"}[r.IntN(3)]
		x.act, x.hits = func() { w.kill(name) }, name
		if name == "homer" {
			x.hits = "-" // there may be two
		}
	case 5: // a death and a cancel at once
		x.act = func() { w.kill("jan"); cancel() }
	}
	if x.act == nil {
		return
	}
	if r.IntN(2) == 0 {
		x.when = 1 + r.IntN(6)
	} else {
		x.whenever = 1 + r.IntN(40)
	}
}

// kill kills an agent, where it runs.
func (w *world) kill(name string) {
	for _, p := range w.h.Members() {
		if strings.Contains(p.Line, name+".yaml") {
			_ = syscall.Kill(p.PID, syscall.SIGKILL)
			return
		}
	}
}

// checkBelow checks, after all seeds, what the agents below have seen: each of their requests was
// decided once, as the root had it, and nothing ran that wasn't allowed.
func (w *world) checkBelow() {
	w.t.Helper()
	for _, r := range w.m.Requests() {
		for id, result := range results(r) {
			if x := w.witnesses[id]; x != nil {
				x.checkResult(id, result)
			}
		}
	}
	for name := range w.below {
		for id, list := range audited(w.t, w.h.path("audit."+name)) {
			x := w.witnesses[id]
			if x == nil {
				continue // a title that was cut
			}
			if len(list) != 1 {
				w.t.Errorf("seed %d: %s decided call %d more than once: %q", x.seed, name, id, list)
			}
			if got := x.decision(id); list[0] != "cancelled" && list[0] != got {
				w.t.Errorf("seed %d: %s was told %q about call %d, the root decided %q", x.seed, name, list[0], id, got)
			}
		}
	}
}

func number(t testing.TB, name string, otherwise int) int {
	v := os.Getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestRequestsEndExactlyOnce drives random trees of asks, answers, cancels and deaths. Seven seeds in
// eight run on mm as it is shipped, the eighth on one with the race detector at every level.
func TestRequestsEndExactlyOnce(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Run("seeds", func(t *testing.T) {
		for name, binary := range map[string]func(testing.TB) string{"shipped": mm, "raced": racedMM} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				newWorld(t, binary(t)).runAll(name)
			})
		}
	})
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}

// runAll plays the seeds of one kind of binary, one after the other.
func (w *world) runAll(name string) {
	w.t.Helper()
	seeds, only := number(w.t, "MM_FAULTS_SEEDS", 200), number(w.t, "MM_FAULTS_SEED", -1)
	start, n := time.Now(), 0
	for seed := range max(seeds, only+1) {
		if only >= 0 && seed != only || (seed%8 == 7) != (name == "raced") {
			continue
		}
		n++
		w.run(uint64(seed))
		if w.t.Failed() {
			w.t.Fatalf("MM_FAULTS_SEED=%d plays this seed alone", seed)
		}
	}
	w.checkBelow()
	note(w.t, fmt.Sprintf("property test, %s: seeds a second", name), float64(n)/time.Since(start).Seconds())
	w.e.Close()
	w.h.Gone(time.Now())
}
