package schema

import (
	"regexp"
	"slices"
	"strings"
)

// loosen takes out of a schema what the library refuses as a whole. It reports whether the rest
// can be used: references to other documents or by name can't be followed.
func loosen(v any, deep int) bool {
	if deep > 100 {
		return false
	}
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !loosen(e, deep+1) })
	case map[string]any:
		for _, word := range []string{"$dynamicRef", "$recursiveRef"} {
			if _, is := v[word].(string); is {
				return false
			}
		}
		if ref, is := v["$ref"].(string); is && ref != "#" && !strings.HasPrefix(ref, "#/") {
			return false
		}
		loosenWords(v)
		for _, e := range v {
			if !loosen(e, deep+1) {
				return false
			}
		}
	}
	return true
}

// loosenWords works on one schema, or on a map of schemas whose names may be words too: what isn't
// of the type that the word has stays as it is.
func loosenWords(m map[string]any) {
	if s, is := m["$schema"].(string); is && !strings.Contains(s, "2020-12") && !strings.Contains(s, "draft-07") {
		delete(m, "$schema")
	}
	for _, word := range []string{"$id", "$anchor", "$dynamicAnchor", "id"} {
		if _, is := m[word].(string); is {
			delete(m, word)
		}
	}
	if p, is := m["pattern"].(string); is {
		if _, err := regexp.Compile(p); err != nil {
			delete(m, "pattern")
		}
	}
	for _, word := range []string{"required", "exclusiveMinimum", "exclusiveMaximum"} {
		if _, is := m[word].(bool); is { // as in drafts 3 and 4
			delete(m, word)
		}
	}
}
