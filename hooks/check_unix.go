//go:build unix

package hooks

import "io/fs"

func canRun(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
