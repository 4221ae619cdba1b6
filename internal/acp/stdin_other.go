//go:build !linux

package acp

import "os"

// PrivateStdin is standard input as it is: only Linux opens a pipe once more.
func PrivateStdin(in *os.File) *os.File { return in }
