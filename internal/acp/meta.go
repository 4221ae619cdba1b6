package acp

import "encoding/json"

// Meta is an object's _meta: what is no part of the protocol, by the name of who put it there.
type Meta map[string]json.RawMessage

// UnmarshalJSON reads an object; anything else counts as none.
func (m *Meta) UnmarshalJSON(b []byte) error {
	var plain map[string]json.RawMessage
	if json.Unmarshal(b, &plain) != nil {
		plain = nil
	}
	*m = plain
	return nil
}

// MetaOf makes a Meta with one entry. v must be something that JSON can hold.
func MetaOf(key string, v any) Meta {
	raw, err := encode(nil, v)
	if err != nil {
		return nil
	}
	return Meta{key: raw}
}

// Get decodes the entry of a key into v and reports whether it was there and fit.
func (m Meta) Get(key string, v any) bool {
	raw, ok := m[key]
	return ok && json.Unmarshal(raw, v) == nil
}

// MetaKey is the key of mm's own entries.
const MetaKey = "mm"

// PermissionMeta is mm's entry in the _meta of a session/request_permission (top level): the bare
// tool, and the key at the gate that sends the request.
type PermissionMeta struct {
	Tool string `json:"tool,omitempty"`
	Key  string `json:"key,omitempty"`
	// Place of Of: how many questions wait, and which one this is, from 1. 0 when it is the only one.
	Place int `json:"place,omitempty"`
	Of    int `json:"of,omitempty"`
}

// RejectionMeta is mm's entry in the _meta of the answer to a permission request: why it was refused.
type RejectionMeta struct {
	Reason string `json:"reason,omitempty"`
}

// Patch is a field of an update where absent means unchanged and null means cleared. The zero
// Patch is absent.
type Patch[T any] struct {
	Set   bool
	Value *T // nil is null
}

// To makes a Patch that sets a value.
func To[T any](v T) Patch[T] { return Patch[T]{Set: true, Value: &v} }

// Clear makes a Patch that clears the value.
func Clear[T any]() Patch[T] { return Patch[T]{Set: true} }

// IsZero reports whether the field is absent.
func (p Patch[T]) IsZero() bool { return !p.Set }

// MarshalJSON encodes the value or null.
func (p Patch[T]) MarshalJSON() ([]byte, error) { return encode(nil, p.Value) }

// UnmarshalJSON decodes a value or null.
func (p *Patch[T]) UnmarshalJSON(b []byte) error {
	p.Value = nil
	err := json.Unmarshal(b, &p.Value)
	p.Set = err == nil
	return err
}

// Apply changes v as the patch says.
func (p Patch[T]) Apply(v *T) {
	if !p.Set {
		return
	}
	var zero T
	if *v = zero; p.Value != nil {
		*v = *p.Value
	}
}
