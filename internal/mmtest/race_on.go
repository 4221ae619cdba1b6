//go:build race

package mmtest

// raced says that the tests run with the race detector.
const raced = true
