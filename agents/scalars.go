package agents

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// text reads a text and puts in what the environment has for it.
func (w *walker) text(n *yaml.Node, s *spec) (string, bool) {
	n = w.resolve(n)
	if n == nil || !w.isText(n, s) {
		return "", false
	}
	if s.override != "" && w.env.get(s.override) != "" {
		return "", false // the variable counts, so a variable missing here does no harm
	}
	text := n.Value
	if s.expand {
		var ok bool
		if text, ok = w.expand(n, s); !ok {
			return "", false
		}
	}
	return w.checked(n, text, s)
}

func (w *walker) isText(n *yaml.Node, s *spec) bool {
	if n.Kind == yaml.ScalarNode {
		switch n.ShortTag() {
		case "!!str":
			return true
		case "!!int", "!!float", "!!bool", "!!timestamp":
			if s.loose {
				return true
			}
		}
	}
	wanted := "text"
	if len(s.choices) > 0 {
		wanted = oneOf(s.choices)
	}
	w.wrong(n, s, wanted)
	return false
}

// checked holds a text against its spec and makes paths absolute. n is nil for a text that comes
// from the environment.
func (w *walker) checked(n *yaml.Node, text string, s *spec) (string, bool) {
	switch {
	case text == "" && s.empty:
		return "", true
	case strings.TrimSpace(text) == "":
		w.problem(n, "%s is empty", w.name())
	case strings.ContainsRune(text, 0):
		w.problem(n, "%s has a NUL character in it", w.name())
	case len(s.choices) > 0 && !contains(s.choices, text):
		w.problem(n, "%s must be %s, but this is %s%s", w.name(), oneOf(s.choices), quote(text), didYouMean(text, s.choices))
	case s.pattern != nil && !s.pattern.MatchString(text) && s.secret:
		w.problem(n, "%s must be %s", w.name(), s.says)
	case s.pattern != nil && !s.pattern.MatchString(text):
		w.problem(n, "%s must be %s, but this is %s", w.name(), s.says, quote(text))
	case s.path:
		return w.abs(text), true
	case s.program:
		return w.programPath(text), true
	default:
		return text, true
	}
	return "", false
}

// trueOrFalse says what a text means that older YAML and AGENT_YOLO take for true or false; "" for
// any other.
func trueOrFalse(text string) string {
	switch text {
	case "true", "1", "on", "yes":
		return "true"
	case "false", "0", "off", "no":
		return "false"
	}
	return ""
}

func (w *walker) boolean(n *yaml.Node, s *spec) (bool, bool) {
	n = w.resolve(n)
	if n == nil {
		return false, false
	}
	var b bool
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" || n.Decode(&b) != nil {
		w.wrong(n, s, "true or false")
		return false, false
	}
	return b, true
}

// float reads any number.
func (w *walker) float(n *yaml.Node, s *spec, wanted string) (float64, bool) {
	var f float64
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode || (tag != "!!int" && tag != "!!float") || n.Decode(&f) != nil ||
		math.IsNaN(f) || math.IsInf(f, 0) {
		w.wrong(n, s, wanted)
		return 0, false
	}
	return f, true
}

func (w *walker) number(n *yaml.Node, s *spec) (float64, bool) {
	n = w.resolve(n)
	if n == nil {
		return 0, false
	}
	f, ok := w.float(n, s, "a number")
	return f, ok && w.inRange(n, f, s, "")
}

// whole reads a whole number; 1e3 and 50.0 are some too, as in JSON Schema.
func (w *walker) whole(n *yaml.Node, s *spec) (int64, bool) {
	n = w.resolve(n)
	if n == nil {
		return 0, false
	}
	f, ok := w.float(n, s, "a whole number")
	if !ok {
		return 0, false
	}
	if f != math.Trunc(f) {
		w.wrong(n, s, "a whole number")
		return 0, false
	}
	var i int64
	if n.ShortTag() == "!!float" && math.Abs(f) < 1<<53 {
		i = int64(f)
	} else if n.Decode(&i) != nil || n.ShortTag() == "!!float" {
		w.problem(n, "%s is too large a number: %s", w.name(), short(n.Value))
		return 0, false
	}
	return i, w.inRange(n, f, s, "")
}

func (w *walker) int(n *yaml.Node, s *spec) (int, bool) {
	i, ok := w.whole(n, s)
	return int(i), ok // bounds of int fields are far below those of an int
}

// durationPattern is for texts; a number is one of seconds.
const durationPattern = `^([0-9]+|([0-9]+(\.[0-9]+)?(h|ms|m|s))+)$`

const durationWanted = `a duration such as 90s, 2m or a number of seconds`

func (w *walker) duration(n *yaml.Node, s *spec) (time.Duration, bool) {
	n = w.resolve(n)
	if n == nil {
		return 0, false
	}
	var seconds float64
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		d, ok := parseDuration(n.Value)
		if !ok {
			w.wrong(n, s, durationWanted)
			return 0, false
		}
		seconds = d.Seconds()
	} else {
		var ok bool
		if seconds, ok = w.float(n, s, durationWanted); !ok {
			return 0, false
		}
	}
	if !w.inRange(n, seconds, s, " seconds") {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond), true
}

func parseDuration(text string) (time.Duration, bool) {
	if !regexp.MustCompile(durationPattern).MatchString(text) {
		return 0, false
	}
	if last := text[len(text)-1]; last >= '0' && last <= '9' {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	return d, err == nil
}

func (w *walker) inRange(n *yaml.Node, f float64, s *spec, unit string) bool {
	if (s.low == nil || f > *s.low || (f == *s.low && !s.positive)) && (s.high == nil || f <= *s.high) {
		return true
	}
	limits := "between " + plain(*s.low) + " and " + plain(*s.high)
	if s.positive {
		limits = "over 0 and at most " + plain(*s.high)
	}
	w.problem(n, "%s must be %s%s, but this is %s", w.name(), limits, unit, short(n.Value))
	return false
}

// plain writes a number without an exponent.
func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
