package proc

import "golang.org/x/sys/unix"

// processes returns all processes of the system.
func processes() map[int]entry {
	all := map[int]entry{}
	list, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return all
	}
	for i := range list {
		e := entryOf(&list[i])
		all[e.pid] = e
	}
	return all
}

// lookUp reads one process.
func lookUp(pid int) (entry, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || info.Proc.P_pid == 0 {
		return entry{}, false
	}
	return entryOf(info), true
}

func entryOf(k *unix.KinfoProc) entry {
	const zombie = 5 // SZOMB in sys/proc.h
	pid := int(k.Proc.P_pid)
	session, _ := unix.Getsid(pid) // fails for a process that has just gone
	return entry{
		pid: pid, parent: int(k.Eproc.Ppid), group: int(k.Eproc.Pgid), session: session,
		start: uint64(k.Proc.P_starttime.Nano()),
		dead:  k.Proc.P_stat == zombie,
	}
}
