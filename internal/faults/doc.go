// Package faults holds mm's promises about ends, cancels, permission requests, misbehaving agents
// and honest results (supplement 4 and 5) by tests that break things on purpose. It has no code of
// its own: the tests build mm, run it as people, editors and other agents do, and kill, close, flood
// or starve one part or another.
//
//	go test -race ./internal/faults/...
//
// runs the suite alone. docs/explanation/reliability.md lists each promise with the test that holds
// it and what was measured.
//
// Every process that a test starts, and all below it, carries a mark in its environment. What has
// the mark is found in /proc, whoever its parent is now, so nothing that is left behind is missed;
// that is why most of the suite needs Linux.
//
// Nothing here sleeps to synchronise: tests wait for states, with a deadline that only a hang
// reaches. Where a time is the promise itself (2 s to an empty process tree), it is measured from
// the event to the last process gone.
//
// Environment variables change how much is done:
//
//	MM_FAULTS_SEEDS=N   seeds of the property test (default 200)
//	MM_FAULTS_SEED=N    only this seed of the property test, to reproduce a failure
//	MM_FAULTS_REPORT=F  append what was measured to the file F
package faults
