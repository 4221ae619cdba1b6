package main

import "fmt"

// target is what a figure is held to.
type target struct {
	text string
	met  func(r row) bool
}

// ratio is a target for mm's value beside its floor.
func ratio(limit float64) *target {
	return &target{fmt.Sprintf("≤ %g×", limit), func(r row) bool { return r.mm <= limit*r.floor }}
}

// atMost is a target for a value itself.
func atMost(limit float64, unit string) *target {
	return &target{fmt.Sprintf("≤ %g %s", limit, unit), func(r row) bool { return r.mm <= limit }}
}

// word says whether the target is met.
func (t *target) word(r row) string {
	switch {
	case t == nil:
		return ""
	case t.met(r):
		return t.text + "  met"
	}
	return t.text + "  NOT MET"
}

// row is a figure of one binary: a value beside its floor, in the same unit.
type row struct {
	mm, floor float64
	unit      string // ms, MB, B
}

// line is the row as it stands in the table; first is that of the first of several binaries, nil for
// the first itself.
func (r row) line(name string, t *target, first *row) string {
	ratio, floor, gain := "", "", ""
	if r.floor > 0 {
		ratio = fmt.Sprintf("%.1f×", r.mm/r.floor)
		floor = r.value(r.floor)
	}
	if first != nil && first.mm > 0 {
		gain = fmt.Sprintf("  (%.2f× of [1])", r.mm/first.mm)
	}
	return fmt.Sprintf("%-46s %10s %10s %6s  %s%s", name, r.value(r.mm), floor, ratio, t.word(r), gain)
}

func (r row) value(v float64) string {
	if r.unit == "B" {
		return fmt.Sprintf("%.0f B", v)
	}
	return fmt.Sprintf("%.1f %s", v, r.unit)
}
