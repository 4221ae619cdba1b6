//go:build !race

package faults

// raced says that the tests run with the race detector.
const raced = false
