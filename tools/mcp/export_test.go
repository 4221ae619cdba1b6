package mcp

import (
	"encoding/json"
	"time"
)

// Limits that tests shorten.
type Limits struct{ Prompt, Start, Ping, Again, Stream time.Duration }

// SetLimits shortens those that aren't 0, before Start.
func (s *Servers) SetLimits(l Limits) {
	set := func(to *time.Duration, d time.Duration) {
		if d > 0 {
			*to = d
		}
	}
	set(&s.limits.prompt, l.Prompt)
	set(&s.limits.start, l.Start)
	set(&s.limits.ping, l.Ping)
	set(&s.limits.again, l.Again)
	set(&s.limits.stream, l.Stream)
}

// Declared is the schema as a model's server gets it.
func Declared(raw string) string { return string(declared(json.RawMessage(raw))) }
