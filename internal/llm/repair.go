package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// repairArguments returns the arguments of a call as a JSON object, and what is wrong with them
// when they can't be one. cut says that the answer was cut off, so that what is missing at the end
// is anyone's guess.
//
// "Arguments that are not valid JSON are repaired only where there is one reading (trailing comma,
// missing closing brackets, an object sent as a string)."
func repairArguments(args string, cut bool) (object, bad string) {
	trimmed := strings.TrimSpace(args)
	switch trimmed {
	case "", "null", `""`:
		return "{}", ""
	}
	switch {
	case isObject(args):
		return args, ""
	case isObject(trimmed): // white space around it that JSON doesn't know
		return trimmed, ""
	}
	if cut && !json.Valid([]byte(trimmed)) {
		return "{}", "the answer was cut off inside the arguments (too long for maxTokens): nothing was run"
	}
	if fixed := closeBrackets(trimmed); isObject(fixed) {
		return fixed, ""
	}
	if inner, ok := quoted(trimmed); ok {
		if object, bad := repairArguments(inner, cut); bad == "" && object != "{}" {
			return object, ""
		}
	}
	return "{}", describe(trimmed)
}

func isObject(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "{") && json.Valid([]byte(s))
}

// quoted returns what a JSON string stands for, if it is all there is.
func quoted(s string) (string, bool) {
	var inner string
	if !strings.HasPrefix(s, `"`) || json.Unmarshal([]byte(s), &inner) != nil {
		return "", false
	}
	return inner, strings.HasPrefix(strings.TrimSpace(inner), "{")
}

// closeBrackets drops commas before closing brackets and adds the closing brackets that are
// missing at the end. A string that isn't closed is left as it is: nobody knows how it went on.
func closeBrackets(s string) string {
	var out, open []byte
	inString := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inString && c == '\\' && i+1 < len(s):
			out = append(out, c)
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case c == '}' || c == ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return s
			}
			open = open[:len(open)-1]
			out = dropComma(out)
		}
		out = append(out, s[i])
	}
	if inString {
		return s
	}
	if len(open) > 0 {
		out = dropComma(out)
	}
	for i := len(open) - 1; i >= 0; i-- {
		out = append(out, open[i])
	}
	return string(out)
}

func dropComma(b []byte) []byte {
	if t := bytes.TrimRight(b, " \t\r\n"); len(t) > 0 && t[len(t)-1] == ',' {
		return t[:len(t)-1]
	}
	return b
}

// describe says what is wrong, for the model.
func describe(args string) string {
	var v any
	err := json.Unmarshal([]byte(args), &v)
	if err == nil {
		return fmt.Sprintf("the arguments must be a JSON object, got %s", jsonKind(v))
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if syntax, ok := err.(*json.SyntaxError); ok {
		at := max(0, min(int(syntax.Offset)-1, len(args)))
		text = fmt.Sprintf("%s at byte %d, after %q", text, syntax.Offset, lastRunes(args[:at], 30))
	}
	return "the arguments are not valid JSON: " + text
}

func jsonKind(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case float64:
		return "a number"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	}
	return "null"
}

func lastRunes(s string, n int) string {
	r := []rune(s[max(0, len(s)-4*n):])
	return string(r[max(0, len(r)-n):])
}
