//go:build !linux

package window

import "time"

var begun = time.Now()

func threadTime() time.Duration { return time.Since(begun) }

func processTime() time.Duration { return time.Since(begun) }
