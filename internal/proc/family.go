package proc

import (
	"os"
	"sync"
	"syscall"
	"time"
)

// family is a process that leads a session, with all that it started: the members of its session,
// whatever their process group (timeout(1) and "set -m" make groups of their own), its
// descendants, and the members of sessions that descendants lead (node's "detached"). What was a
// descendant once stays a member when its parent dies, so look is called before the first signal
// too. Without the sessions of descendants, a fork between look and SIGKILL was lost.
//
// On Linux a guard adopts the orphans below it, so daemons that a living member has started are
// members, too; elsewhere one that had detached itself before the first look isn't. Background tasks
// of commands that an agent had run to their end are no members.
type family struct {
	root  int
	start uint64
	task  string // what members have in taskVariable, if they have it
	self  bool   // the root is this process: it isn't signalled

	mu       sync.Mutex
	seen     map[int]uint64 // guarded by mu: members by pid, with their start
	sessions map[int]uint64 // guarded by mu: members that lead or led a session, with their start
	// guarded says that the root is a guard that lives: it isn't killed, since it ends all the rest
	// should this process die meanwhile. Guarded by mu.
	guarded bool
}

// entry is one process of the system.
type entry struct {
	pid, parent, group, session int
	start                       uint64 // tells it from a later process with the same pid
	dead                        bool   // it has ended and wasn't reaped yet
}

func newFamily(root int, task string) *family {
	f := &family{root: root, task: task, self: root == os.Getpid(), seen: map[int]uint64{}, sessions: map[int]uint64{}}
	if e, ok := lookUp(root); ok {
		f.start = e.start
		f.seen[root], f.sessions[root] = e.start, e.start
	}
	return f
}

// setGuarded notes whether the root is a guard that lives.
func (f *family) setGuarded(yes bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.guarded = yes
}

// blind reports whether the system doesn't show its processes, so that look finds none.
func (f *family) blind() bool { return f.start == 0 }

// look returns the members that live, with the root unless that is this process or a guard.
func (f *family) look() []entry {
	all := processes()
	f.mu.Lock()
	defer f.mu.Unlock()
	for pid, start := range f.seen {
		if e, ok := all[pid]; !ok || e.start != start {
			delete(f.seen, pid)
		}
	}
	f.joinLocked(all)
	var alive []entry
	for pid := range f.seen {
		if e := all[pid]; !e.dead && !((f.self || f.guarded) && pid == f.root) {
			alive = append(alive, e)
		}
	}
	return alive
}

// joinLocked adds the members of the family's sessions and all descendants of members to seen.
func (f *family) joinLocked(all map[int]entry) {
	children, sessions := map[int][]entry{}, map[int][]entry{}
	var queue []entry
	for pid, e := range all {
		children[e.parent] = append(children[e.parent], e)
		sessions[e.session] = append(sessions[e.session], e)
		if _, seen := f.seen[pid]; seen {
			queue = append(queue, e)
		}
	}
	for leader, start := range f.sessions {
		// A pid isn't given away while a session has its number: who has it now says if it was.
		if e, there := all[leader]; !there || e.start == start {
			queue = append(queue, sessions[leader]...)
		}
	}
	for visited := map[int]bool{}; len(queue) > 0; {
		e := queue[0]
		queue = queue[1:]
		if visited[e.pid] {
			continue
		}
		visited[e.pid] = true
		if _, known := f.seen[e.pid]; !known && e.parent == f.root && f.foreignTask(e, all[f.root]) {
			continue
		}
		f.seen[e.pid] = e.start
		queue = append(queue, children[e.pid]...)
		if e.session == e.pid {
			f.sessions[e.pid] = e.start
			queue = append(queue, sessions[e.pid]...)
		}
	}
}

// foreignTask reports whether a process that the root has adopted was left by a command of an mm below
// the root, on purpose.
func (f *family) foreignTask(e, root entry) bool {
	if e.session == root.session {
		return false
	}
	task := variable(e.pid, taskVariable)
	return task != "" && task != f.task
}

// terminate sends SIGTERM to each of the given members. Commands are stopped first and go on when all
// have it: else a shell whose child had it first would run the next line of its script before its
// own arrives ("sleep 20; git push").
func (f *family) terminate(members []entry) {
	held := commands(members)
	f.signal(held, stopSignal)
	f.signal(members, syscall.SIGTERM)
	f.signal(held, contSignal)
}

// commands are the members that may be stopped: those that lead no session. Guards and agents do (see
// ownSession). This process may be killed before it lets them go on, and then it's they who end what
// is below them: once they were stopped for ever, with all of it. A command that stays stopped is
// killed by its guard.
func commands(members []entry) (list []entry) {
	for _, e := range members {
		if e.pid != e.session {
			list = append(list, e)
		}
	}
	return list
}

// signal sends the signal to each of the given members once.
func (f *family) signal(members []entry, s syscall.Signal) {
	for _, e := range members {
		sendSignal(e.pid, s)
	}
}

// kill sends SIGKILL until no member lives, and returns those that live after the given time.
// Commands come first: should this process die meanwhile, the guards and agents that are left end what
// is below them. Commands that come all the time don't keep the others for long.
func (f *family) kill(within time.Duration) (left []entry) {
	rounds := 0
	return f.poll(within, func(alive []entry) {
		victims := commands(alive)
		if rounds++; len(victims) == 0 || rounds > 5 {
			victims = alive
		}
		for _, e := range victims {
			if f.leads(e.session) && !(f.self && e.group == f.root) && (e.group != e.session || len(victims) == len(alive)) {
				sendSignal(-e.group, syscall.SIGKILL) // reaches forks that look hasn't seen
			}
		}
		f.signal(victims, syscall.SIGKILL)
	})
}

// leads reports whether the session is one of the family's.
func (f *family) leads(session int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.sessions[session]
	return ok
}

// poll looks at the members every few milliseconds until none lives or the time is over, and
// returns those that live. There is no other way to wait for processes that aren't one's children.
func (f *family) poll(within time.Duration, each func(alive []entry)) (left []entry) {
	pause := time.Millisecond
	for end := time.Now().Add(within); ; pause = min(2*pause, 20*time.Millisecond) {
		left = f.look()
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
		each(left)
		time.Sleep(pause)
	}
}
