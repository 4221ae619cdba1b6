package proc

import (
	"bytes"
	"os"
	"strconv"
)

// processes returns all processes of the system that /proc shows.
func processes() map[int]entry {
	all := map[int]entry{}
	dir, err := os.Open("/proc")
	if err != nil {
		return all
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if e, ok := lookUp(pid); ok {
			all[pid] = e
		}
	}
	return all
}

// lookUp reads one process. /proc/PID/stat is "pid (name) state ppid pgrp session …" with the
// start time as its 22nd field (proc_pid_stat(5)); the name may hold blanks and parentheses.
func lookUp(pid int) (entry, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return entry{}, false
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) < 20 {
		return entry{}, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(string(fields[i]))
		return n
	}
	start, err := strconv.ParseUint(string(fields[19]), 10, 64)
	return entry{
		pid: pid, parent: number(1), group: number(2), session: number(3), start: start,
		dead: fields[0][0] == 'Z' || fields[0][0] == 'X',
	}, err == nil
}
