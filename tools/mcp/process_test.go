//go:build linux || darwin

package mcp_test

import (
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mini-me/mm/tools/mcp"
)

func TestEndedBetweenCalls(t *testing.T) {
	b := newFake(t, "", mcp.Options{})
	want(t, b.call("fake_a_b", `{}`), false, "done {}")
	if err := syscall.Kill(b.pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() string {
		if s := b.servers.Status()[0]; s.String() != "fake (ended: signal: killed)" {
			return s.String()
		}
		return ""
	})
	want(t, b.call("fake_a_b", `{}`), false, "done {}")
	if b.starts() != 2 {
		t.Errorf("%s", b.noted())
	}
}

// pid is that of the server's last process.
func (b *bench) pid() int {
	all := regexp.MustCompile(`started (\d+)`).FindAllStringSubmatch(b.noted(), -1)
	if len(all) == 0 {
		b.t.Fatal("it hasn't started")
	}
	pid, _ := strconv.Atoi(all[len(all)-1][1])
	return pid
}

func TestClose(t *testing.T) {
	t.Run("during a call", func(t *testing.T) {
		b := newFake(t, "slow", mcp.Options{})
		plan := b.plan("fake_work", `{"zeal":"1"}`)
		go func() {
			for !strings.Contains(b.noted(), "call work") {
				time.Sleep(time.Millisecond)
			}
			b.servers.Close()
		}()
		want(t, plan.Run(t.Context(), b.host), true, "[fake_work: mm is ending]")
		b.servers.Close()
		b.gone()
		want(t, plan.Run(t.Context(), b.host), true, "[fake_work: mm is ending]")
	})
	t.Run("during the start", func(t *testing.T) {
		b := newFake(t, "mute", mcp.Options{}).start()
		eventually(t, func() string {
			if b.starts() == 0 {
				return "not started"
			}
			return ""
		})
		begin := time.Now()
		b.servers.Close()
		if d := time.Since(begin); d > 2*time.Second {
			t.Errorf("it took %v", d)
		}
		b.gone()
		if got := b.names(); len(got) != 0 || len(b.servers.Warnings()) != 0 {
			t.Error(got)
		}
	})
	t.Run("while it lists", func(t *testing.T) {
		b := newFake(t, "relist", mcp.Options{})
		want(t, b.call("fake_work", `{"zeal":"1"}`), false, "changed")
		eventually(t, func() string {
			if strings.Count(b.noted(), "list") < 2 {
				return b.noted()
			}
			return ""
		})
		begin := time.Now()
		b.servers.Close()
		if d := time.Since(begin); d > 2*time.Second {
			t.Errorf("it took %v", d)
		}
		b.gone()
	})
	t.Run("before anything", func(t *testing.T) {
		b := newFake(t, "", mcp.Options{})
		b.servers.Close()
		if got := b.names(); len(got) != 0 || b.starts() != 0 {
			t.Error(got)
		}
	})
	t.Run("none", func(t *testing.T) {
		var none *mcp.Servers
		none.Start()
		if none.Tools(t.Context()) != nil || none.Status() != nil || none.Warnings() != nil || none.Generation() != 0 {
			t.Error("nil has servers")
		}
		none.Close()
	})
}

// gone fails the test if the server's process is still there.
func (b *bench) gone() {
	b.t.Helper()
	if err := syscall.Kill(b.pid(), 0); err == nil {
		b.t.Errorf("process %d is still there", b.pid())
	}
}
