package proc

import (
	"fmt"
	"syscall"
	"time"
)

// killTime is how long End waits for what it has killed. Only a process that hangs inside the
// kernel (a dead network drive) takes that long.
const killTime = 5 * time.Second

// End ends the process and everything it started: it closes stdin, waits, sends SIGTERM, waits,
// sends SIGKILL, and reaps. Where End finds the process ended by itself it still ends what that
// left behind. Calls after the first wait for the same end. The error says what outlived SIGKILL.
func (p *Process) End(g Grace) error {
	p.mu.Lock()
	if p.ended != nil {
		ended := p.ended
		p.mu.Unlock()
		<-ended
		return p.endErr
	}
	p.ended = make(chan struct{})
	p.mu.Unlock()
	p.endErr = p.end(g)
	close(p.ended)
	return p.endErr
}

// Kill ends the process at once; an End that waits waits no longer.
func (p *Process) Kill() error {
	p.urgently.Do(func() { close(p.urgent) })
	return p.End(Grace{})
}

func (p *Process) end(g Grace) error {
	if p.link != nil {
		p.link.hold()
	}
	p.family.look() // what is left by one that ends by itself now has no parent then
	p.closeStdin()
	if !p.within(g.Close) && g.Term > 0 {
		p.family.terminate(p.family.look())
		p.within(g.Term)
	}
	left := p.family.kill(killTime)
	if p.family.blind() {
		sendSignal(-p.pid, syscall.SIGKILL)
	}
	if p.link == nil {
		_ = p.os.Kill() // no harm to one that has ended
	}
	timer := time.NewTimer(killTime)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		_ = p.os.Kill()
		return fmt.Errorf("process %d was killed and hasn't gone", p.pid)
	}
	p.dismiss()
	if len(left) > 0 {
		return fmt.Errorf("process %d was killed and hasn't gone", left[0].pid)
	}
	return nil
}

// dismissTime is how long a guard may take to see that there is nothing left to do.
const dismissTime = time.Second

// dismiss ends a guard that has stayed.
func (p *Process) dismiss() {
	if !p.held {
		return
	}
	p.link.close()
	late := time.AfterFunc(dismissTime, func() { _ = p.os.Kill() })
	_, _ = p.os.Wait()
	late.Stop()
}

// within reports whether the process ends by itself in the given time.
func (p *Process) within(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
	case <-p.urgent:
	}
	return false
}
