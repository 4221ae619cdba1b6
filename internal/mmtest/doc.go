// Package mmtest is what tests need that run the real mm as a process of its own: builds of it,
// folders with agent files, and the Family of all processes that a test started, so that none is
// left behind unseen.
package mmtest
