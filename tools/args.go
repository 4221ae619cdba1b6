package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Bool is a boolean argument that also takes "true" and "false" as strings, as small models send
// them.
type Bool bool

// UnmarshalJSON reads true, false, "true", "false", "yes", "no", 1, 0 and null (false).
func (b *Bool) UnmarshalJSON(data []byte) error {
	switch strings.ToLower(strings.Trim(string(data), `" `)) {
	case "true", "yes", "1":
		*b = true
	case "false", "no", "0", "null", "":
		*b = false
	default:
		return fmt.Errorf("%s is not true or false", data)
	}
	return nil
}

// BadArguments is the model's text for arguments of the wrong shape: which field, what was
// expected; never a Go type.
func BadArguments(tool string, err error) string {
	var te *json.UnmarshalTypeError
	if errors.As(err, &te) {
		field := te.Field
		if field == "" {
			return fmt.Sprintf("[%s: the arguments must be a JSON object, not %s]", tool, article(te.Value))
		}
		return fmt.Sprintf("[%s: %s must be %s, not %s]", tool, field, kindOf(te), article(te.Value))
	}
	return fmt.Sprintf("[%s: the arguments are not valid: %v]", tool, err)
}

// kindOf names the JSON type that a Go field stands for.
func kindOf(te *json.UnmarshalTypeError) string {
	switch te.Type.Kind().String() {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "slice", "array":
		return "a list"
	case "struct", "map":
		return "an object"
	}
	return "a number"
}

func article(kind string) string {
	kind, _, _ = strings.Cut(kind, " ")
	switch kind {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	}
	return "a " + kind
}

// FirstLine returns the first line of s that isn't blank, without surrounding blanks.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
