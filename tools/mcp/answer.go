package mcp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mini-me/mm/internal/ui"
)

// value reads an answer; nil leaves the field out. wrong says what doesn't fit.
func (f field) value(answer []string) (v any, wrong string) {
	if f.many {
		return f.chosen(answer)
	}
	s := ""
	if len(answer) > 0 {
		s = strings.TrimSpace(answer[0])
	}
	if f.optional() && (s == none || s == "") {
		return nil, ""
	}
	switch {
	case len(f.values) > 0:
		if i := slices.Index(f.labels, s); i >= 0 {
			return f.values[i], ""
		}
		return nil, "one of the options, please"
	case f.kind == "boolean" || f.kind == confirmation:
		yes, ok := ui.ParseConfirm(s)
		if !ok {
			return nil, "yes or no, please"
		}
		return yes == ui.Yes, ""
	case f.kind == "number" || f.kind == "integer":
		return f.number(s)
	}
	n := len([]rune(s))
	switch {
	case f.minLength != nil && n < *f.minLength:
		return nil, fmt.Sprintf("at least %d characters, please", *f.minLength)
	case f.maxLength != nil && n > *f.maxLength:
		return nil, fmt.Sprintf("at most %d characters, please", *f.maxLength)
	}
	return s, ""
}

func (f field) number(s string) (any, string) {
	n, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	switch {
	case err != nil || math.IsInf(n, 0) || math.IsNaN(n):
		return nil, "a number, please"
	case f.kind == "integer" && n != math.Trunc(n):
		return nil, "a whole number, please"
	case f.min != nil && n < *f.min:
		return nil, fmt.Sprintf("at least %v, please", *f.min)
	case f.max != nil && n > *f.max:
		return nil, fmt.Sprintf("at most %v, please", *f.max)
	}
	return n, ""
}

func (f field) chosen(answer []string) (any, string) {
	list := []any{}
	for _, a := range answer {
		i := slices.Index(f.labels, a)
		if i < 0 {
			return nil, "only the options, please"
		}
		list = append(list, f.values[i])
	}
	switch {
	case f.minItems != nil && len(list) < *f.minItems:
		return nil, fmt.Sprintf("at least %d, please", *f.minItems)
	case f.maxItems != nil && len(list) > *f.maxItems:
		return nil, fmt.Sprintf("at most %d, please", *f.maxItems)
	}
	return list, ""
}
