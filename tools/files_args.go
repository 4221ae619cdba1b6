package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// fileArgs are the arguments of a file tool, by name. They are read with more patience than
// encoding/json has: numbers and booleans may be strings, and a field may have the name that
// another agent's tool has for it.
type fileArgs map[string]json.RawMessage

var (
	errEditsShape = errors.New(editsShape)
	errNoNew      = errors.New(`an edit has no "new" — send the text to put there; "new": "" deletes old`)
)

func readFileArgs(raw json.RawMessage) (fileArgs, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return fileArgs{}, nil
	}
	var a fileArgs
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, err
	}
	return a, nil
}

// get returns the first of the fields that is there and not null.
func (a fileArgs) get(names ...string) (name string, raw json.RawMessage) {
	for _, n := range names {
		if raw, ok := a[n]; ok && string(raw) != "null" {
			return n, raw
		}
	}
	return "", nil
}

// text reads a string; found is false when there is none. A number or boolean is its text: a model
// that replaces 1 by 2 forgets the quotes.
func (a fileArgs) text(names ...string) (s string, found bool, err error) {
	name, raw := a.get(names...)
	if raw == nil {
		return "", false, nil
	}
	switch raw[0] {
	case '"':
		err = json.Unmarshal(raw, &s)
	case '{', '[':
		err = fmt.Errorf("%s must be a string, not JSON — send the text itself", name)
	default:
		s = string(raw)
	}
	return s, true, err
}

// number reads a line number; less than one means none.
func (a fileArgs) number(names ...string) (int, error) {
	name, raw := a.get(names...)
	s := strings.Trim(string(raw), "\" ")
	if s == "" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0, fmt.Errorf("%s must be a line number, not %s", name, raw)
	}
	return max(int(f), 0), nil
}

func (a fileArgs) flag(names ...string) (bool, error) {
	name, raw := a.get(names...)
	if raw == nil {
		return false, nil
	}
	var b Bool
	if err := b.UnmarshalJSON(raw); err != nil {
		return false, fmt.Errorf("%s must be true or false, not %s", name, raw)
	}
	return bool(b), nil
}
