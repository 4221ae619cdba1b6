package proc

import (
	"os"
	"strconv"
	"strings"
)

// FreeMemory is how many bytes the system could give to new processes without swapping; known is
// false where it doesn't tell.
func FreeMemory() (n uint64, known bool) {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemAvailable:" && f[2] == "kB" {
			kb, err := strconv.ParseUint(f[1], 10, 50)
			return kb << 10, err == nil
		}
	}
	return 0, false
}
