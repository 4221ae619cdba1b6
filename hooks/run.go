package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/mini-me/mm/internal/proc"
)

const (
	// maxOutput bounds what a hook may write to stdout, in bytes.
	maxOutput = 1 << 20
	// grace is what a hook gets to clean up when it is stopped.
	grace = 200 * time.Millisecond
	// denied is the exit status by which a hook denies, with its stderr as the reason.
	denied = 2
)

// Run runs the hooks of the event one after the other, until one denies. A replaced prompt or
// answer is what the next one sees. The error is the cause of ctx, when it ends before the hooks
// do: the hook at work is killed, and nothing was decided.
func (r *Runner) Run(ctx context.Context, e Event) (Outcome, error) {
	var o Outcome
	for _, h := range r.hooks[e.Kind] {
		if !h.match.MatchString(e.Name) {
			continue
		}
		if err := r.step(ctx, h, &e, &o); err != nil {
			return Outcome{}, err
		}
		if o.Decision == Deny {
			break
		}
	}
	return o, nil
}

// step runs one hook and adds what it says to the outcome.
func (r *Runner) step(ctx context.Context, h hook, e *Event, o *Outcome) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	said, err := r.call(ctx, h, *e)
	if err == nil && said.exit.Code == denied {
		o.deny(said.stderr)
		return nil
	}
	var answer reply
	if err == nil {
		answer, err = said.reply()
	}
	if err == nil {
		o.apply(e, h.name(), answer)
		return nil
	}
	if errors.Is(err, errCancelled) {
		return context.Cause(ctx)
	}
	h.failed(o, err, said.stderr)
	return nil
}

// failed adds a hook's failure to the outcome.
func (h hook) failed(o *Outcome, err error, stderr string) {
	text := fmt.Sprintf("hook %s failed: %v", h.name(), err)
	if h.continues {
		o.Warnings = append(o.Warnings, text)
	} else {
		o.deny(text)
		o.Failed = true
	}
	if last := stderr[strings.LastIndexByte(stderr, '\n')+1:]; last != "" {
		o.warn("hook %s wrote: %s", h.name(), last)
	}
}

// name is the command in one line.
func (h hook) name() string {
	first, _, more := strings.Cut(strings.TrimSpace(h.Command), "\n")
	if more {
		return first + " …"
	}
	return first
}

// errCancelled means that the context ended before the hook did.
var errCancelled = errors.New("cancelled")

// said is what a hook that ran left.
type said struct {
	exit   proc.Exit
	stdout []byte
	stderr string
}

func (s said) reply() (reply, error) {
	switch {
	case !s.exit.Success():
		return reply{}, errors.New(s.exit.String())
	case len(s.stdout) > maxOutput:
		return reply{}, errTooMuch
	}
	return parse(s.stdout)
}

var errTooMuch = errors.New("output is over 1 MiB")

// call runs one hook to its end, or ends it.
func (r *Runner) call(ctx context.Context, h hook, e Event) (said, error) {
	in, err := e.encode()
	if err != nil {
		return said{}, err
	}
	p, err := proc.Start(proc.Spec{
		Path: "bash", Args: []string{"-c", h.Command}, Dir: r.opts.Dir, Guard: r.opts.Guard,
		Env:       append(r.opts.Env[:len(r.opts.Env):len(r.opts.Env)], "MM_CWD="+e.Cwd),
		StdinPipe: true, StdoutPipe: true,
	})
	if err != nil {
		return said{}, err
	}
	var s said
	var streams sync.WaitGroup
	full := make(chan struct{})
	streams.Go(func() {
		_, _ = p.Stdin.Write(in) // a hook needn't read it
		_ = p.Stdin.Close()
	})
	streams.Go(func() {
		s.stdout, _ = io.ReadAll(io.LimitReader(p.Stdout, maxOutput+1))
		if len(s.stdout) > maxOutput {
			close(full)
		}
		_ = p.Stdout.Close()
	})
	err = await(ctx, p, h.Timeout, full)
	streams.Wait()
	s.exit, s.stderr = p.Exit(), p.Tail()
	return s, err
}

// await waits until the hook has ended, and ends it when it must not go on.
func await(ctx context.Context, p *proc.Process, timeout time.Duration, full <-chan struct{}) error {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	var err error
	select {
	case <-p.Done():
		return nil
	case <-ctx.Done():
		err = errCancelled
	case <-timer.C:
		err = fmt.Errorf("timed out after %s", timeout)
	case <-full:
		err = errTooMuch
	}
	if endErr := p.End(proc.Grace{Term: grace}); endErr != nil {
		err = fmt.Errorf("%w; %w", err, endErr)
	}
	return err
}
