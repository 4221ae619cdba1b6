package mcp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mini-me/mm/internal/clip"
	"github.com/mini-me/mm/internal/ui"
)

// confirmation is the kind of the one field of a form without any: a yes or no to its message.
const confirmation = "confirmation"

// field is one property of a requested schema: a string, number, integer, boolean, or a choice.
type field struct {
	name, title, description, kind string
	required                       bool
	values, labels                 []string // of a choice
	many                           bool
	standard                       string // the default
	min, max                       *float64
	minLength, maxLength           *int
	minItems, maxItems             *int
	wrong                          string // why the last answer didn't fit
}

// fieldsOf reads a requested schema. Required fields come first; the SDK has lost the server's order.
func fieldsOf(schema any) (fields []field, ok bool) {
	if schema == nil {
		return nil, true
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		return nil, false
	}
	o, ok := parseObject(raw)
	if !ok {
		return nil, false
	}
	props, _ := parseObject(o.get("properties"))
	required := o.texts("required")
	for _, m := range props {
		f, ok := fieldOf(m)
		if !ok {
			return nil, false
		}
		f.required = slices.Contains(required, f.name)
		fields = append(fields, f)
	}
	place := func(f field) int {
		if i := slices.Index(required, f.name); i >= 0 {
			return i
		}
		return len(required)
	}
	slices.SortStableFunc(fields, func(a, b field) int { return place(a) - place(b) })
	return fields, len(fields) <= maxFields
}

func fieldOf(m member) (f field, ok bool) {
	o, ok := parseObject(m.value)
	f = field{name: m.key, title: o.text("title"), description: o.text("description"), kind: o.text("type")}
	f.min, f.max = numberIn(o, "minimum"), numberIn(o, "maximum")
	f.minLength, f.maxLength = lengthIn(o, "minLength"), lengthIn(o, "maxLength")
	f.minItems, f.maxItems = lengthIn(o, "minItems"), lengthIn(o, "maxItems")
	options := o
	if f.kind == "array" {
		f.many = true
		options, ok = parseObject(o.get("items"))
	}
	f.values, f.labels = options.texts("enum"), options.texts("enumNames")
	for _, raw := range append(options.list("oneOf"), options.list("anyOf")...) {
		one, _ := parseObject(raw)
		f.values, f.labels = append(f.values, one.text("const")), append(f.labels, one.text("title"))
	}
	if len(f.labels) != len(f.values) || len(slices.Compact(slices.Sorted(slices.Values(f.labels)))) != len(f.labels) {
		f.labels = f.values
	}
	if raw := o.get("default"); raw != nil && !f.many {
		f.standard = string(raw)
		_ = json.Unmarshal(raw, &f.standard) // a number or boolean is shown as it is written
	}
	return f, ok && (!f.many || len(f.values) > 0)
}

func numberIn(o object, key string) *float64 {
	var n float64
	if json.Unmarshal(o.get(key), &n) != nil {
		return nil
	}
	return &n
}

func lengthIn(o object, key string) *int {
	n := numberIn(o, key)
	if n == nil {
		return nil
	}
	i := int(*n)
	return &i
}

// question asks for the field. The server's message stands above the first question.
func (f field) question(message string, first bool) ui.Question {
	text := f.title
	if text == "" {
		text = f.name
	}
	if f.description != "" && f.description != text {
		text += " — " + f.description
	}
	text = clip.To(text, maxAsked)
	if f.optional() {
		text += fmt.Sprintf(" (optional: %s for none)", none)
	}
	switch {
	case f.kind == confirmation:
		text = message
	case first:
		text = message + "\n" + text
	}
	if f.wrong != "" {
		text += " [" + f.wrong + "]"
	}
	q := ui.Question{Text: text, Type: ui.Free, Default: f.standard}
	switch {
	case f.many:
		q.Type, q.Options, q.Default = ui.Multi, f.labels, ""
	case len(f.values) == 1:
		q.Default = f.labels[0]
	case len(f.values) > 1:
		q.Type, q.Options = ui.Choice, f.labels
		if i := slices.Index(f.values, f.standard); i >= 0 {
			q.Default = f.labels[i]
		}
	case f.kind == "boolean" || f.kind == confirmation:
		q.Type = ui.Confirm
		q.Default, _ = ui.ParseConfirm(f.standard)
	}
	return q
}

// optional reports whether the field can be left out by typing none.
func (f field) optional() bool {
	return !f.required && f.standard == "" && (f.kind == "string" || f.kind == "number" || f.kind == "integer") && len(f.values) == 0
}
