package tools_test

import "syscall"

func mountTmpfs(dir string) error {
	return syscall.Mount("none", dir, "tmpfs", 0, "size=64k")
}
