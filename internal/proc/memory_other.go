//go:build !linux

package proc

// FreeMemory isn't known on this system.
func FreeMemory() (n uint64, known bool) { return 0, false }
