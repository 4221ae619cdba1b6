package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
)

// How the fields of a struct are read, by their tags:
//
//   - A field with omitempty or omitzero is optional, and a bad value counts as absent
//     (x-deserialize-default-on-error); of a list only the bad items are dropped
//     (x-deserialize-skip-invalid-items).
//   - acp:"strict" makes a bad value of such a field an error.
//   - acp:"lenient" reads a field that must be sent as if it were optional.
//   - acp:"required" makes absence an error.
//
// TestTypesAgreeWithSchema compares the tags with the schema.

// DecodeParams reads the parameters of a request or notification into v, a pointer to one of this
// package's structs. Its error is an InvalidParams that names the field.
func DecodeParams(params json.RawMessage, v any) error {
	if isNull(params) {
		params = json.RawMessage("{}")
	}
	if err := decode(params, v); err != nil {
		return InvalidParams("%s", fieldText(err))
	}
	return nil
}

// decode is json.Unmarshal without the passes over valid JSON before what reads itself.
func decode(b []byte, v any) error {
	if u, ok := v.(json.Unmarshaler); ok {
		return u.UnmarshalJSON(b)
	}
	return json.Unmarshal(b, v)
}

// List is a list that is sent as [] when it is empty or nil.
type List[T any] []T

// MarshalJSON encodes the list.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return encode(nil, []T(l))
}

// fieldError says which field of a message is wrong, and how.
type fieldError struct {
	path string // "mcpServers[1].args", "" for the whole
	text string
}

func (e *fieldError) Error() string {
	if e.path == "" {
		return e.text
	}
	return e.path + ": " + e.text
}

// within puts one more step before the path of a fault.
func within(step string, err error) error {
	if err == nil {
		return nil
	}
	f, ok := errors.AsType[*fieldError](err)
	if !ok {
		return &fieldError{step, fieldText(err)}
	}
	if f.path != "" && f.path[0] != '[' {
		step += "."
	}
	return &fieldError{step + f.path, f.text}
}

// fieldText says what is wrong with a value without Go's names.
func fieldText(err error) string {
	if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		found, _, _ := strings.Cut(t.Value, " ")
		return "expected " + jsonKind(t.Type) + ", found " + article(found)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Pointer:
		return jsonKind(t.Elem())
	}
	return "a whole number"
}

func article(found string) string {
	switch found {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "a boolean"
	}
	return "a " + found
}

// decodeObject reads b into v, a pointer to a struct without methods, by the rules above. Most
// objects are good, so the plain decoder goes first.
func decodeObject(b []byte, v any) error {
	s := reflect.ValueOf(v).Elem()
	switch kind := valueKind(b); {
	case kind == "null" && !hasRequired(s.Type()):
		return nil
	case kind != "an object":
		return &fieldError{"", "expected an object, found " + kind}
	}
	if err := json.Unmarshal(b, v); err != nil {
		if err := decodeFields(b, s); err != nil {
			return err
		}
	}
	return checkRequired(b, s)
}

func valueKind(b []byte) string {
	switch b = bytes.TrimSpace(b); {
	case isNull(b):
		return "null"
	case b[0] == '{':
		return "an object"
	case b[0] == '[':
		return "a list"
	case b[0] == '"':
		return "a string"
	case b[0] == 't', b[0] == 'f':
		return "a boolean"
	}
	return "a number"
}

func decodeFields(b []byte, s reflect.Value) error {
	for i := range s.NumField() {
		tag := s.Type().Field(i).Tag
		name, opts, _ := strings.Cut(tag.Get("json"), ",")
		val := field(b, name)
		if name == "-" || val == nil {
			continue
		}
		s.Field(i).SetZero()
		err := json.Unmarshal(val, s.Field(i).Addr().Interface())
		if err == nil {
			continue
		}
		rule := tag.Get("acp")
		if rule == "lenient" || (strings.HasPrefix(opts, "omit") && rule != "strict") {
			keepGood(val, s.Field(i))
			continue
		}
		return within(name, badItem(val, s.Field(i), err))
	}
	return nil
}

// keepGood sets a field whose value is bad to its default, a list to the items that are good.
func keepGood(val []byte, f reflect.Value) {
	f.SetZero()
	var items []json.RawMessage
	if f.Kind() != reflect.Slice || json.Unmarshal(val, &items) != nil {
		return
	}
	good := reflect.MakeSlice(f.Type(), 0, len(items))
	for _, item := range items {
		v := reflect.New(f.Type().Elem())
		if json.Unmarshal(item, v.Interface()) == nil {
			good = reflect.Append(good, v.Elem())
		}
	}
	f.Set(good)
}

// badItem narrows the fault of a list down to its first bad item.
func badItem(val []byte, f reflect.Value, err error) error {
	var items []json.RawMessage
	if f.Kind() != reflect.Slice || json.Unmarshal(val, &items) != nil {
		return err
	}
	for i, item := range items {
		if err := json.Unmarshal(item, reflect.New(f.Type().Elem()).Interface()); err != nil {
			return within("["+strconv.Itoa(i)+"]", err)
		}
	}
	return err
}

func hasRequired(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("acp") == "required" {
			return true
		}
	}
	return false
}

// checkRequired looks for absent fields. A field that isn't zero was there.
func checkRequired(b []byte, s reflect.Value) error {
	for i := range s.NumField() {
		tag := s.Type().Field(i).Tag
		if tag.Get("acp") != "required" || !s.Field(i).IsZero() {
			continue
		}
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		if isNull(field(b, name)) {
			return &fieldError{name, "is missing"}
		}
	}
	return nil
}
