package consent

import "time"

// Question is a request that waits for a person. It is shown once and answered once.
type Question struct {
	Request
	Since time.Time
	gate  *Gate
}

// Place returns which of how many waiting questions this one is: 1 of 3.
func (q *Question) Place() (n, of int) { return q.gate.place(q) }
