package hooks

import "io/fs"

// canRun can't be told from a file's mode here.
func canRun(fs.FileInfo) bool { return true }
