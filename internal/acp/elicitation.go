package acp

import "encoding/json"

// The modes of an elicitation. One is used only when the client announced it.
const (
	ElicitForm = "form"
	ElicitURL  = "url"
)

// ElicitRequest asks the user for input, within a session or for one other request (exactly one of
// SessionID and RequestID). It never asks for secrets.
type ElicitRequest struct {
	Mode            string             `json:"mode" acp:"required"`
	Message         string             `json:"message" acp:"required"`
	RequestedSchema *ElicitationSchema `json:"requestedSchema,omitempty" acp:"strict"` // form
	ElicitationID   string             `json:"elicitationId,omitempty" acp:"strict"`   // url
	URL             string             `json:"url,omitempty" acp:"strict"`             // url
	SessionID       string             `json:"sessionId,omitempty" acp:"strict"`
	ToolCallID      string             `json:"toolCallId,omitempty"`
	RequestID       json.RawMessage    `json:"requestId,omitempty"`
	Meta            Meta               `json:"_meta,omitempty"`
}

// ElicitationSchema describes a flat form. Properties keep their order.
type ElicitationSchema struct {
	Type        string     `json:"type" acp:"lenient"` // object
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Properties  Properties `json:"properties"`
	Required    []string   `json:"required,omitempty" acp:"strict"`
	Meta        Meta       `json:"_meta,omitempty"`
}

// Properties are a form's fields, in order.
type Properties []Property

// Property is a field of a form. Which of its limits count depends on Type: string, number,
// integer, boolean, or array for a choice of several, which has Items.
type Property struct {
	Key         string          `json:"-"`
	Type        string          `json:"type" acp:"required"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	MinLength   *int            `json:"minLength,omitempty" acp:"strict"`
	MaxLength   *int            `json:"maxLength,omitempty" acp:"strict"`
	Pattern     string          `json:"pattern,omitempty" acp:"strict"`
	Format      string          `json:"format,omitempty" acp:"strict"` // email, uri, date, date-time
	Enum        []string        `json:"enum,omitempty" acp:"strict"`
	OneOf       []EnumOption    `json:"oneOf,omitempty" acp:"strict"`
	Minimum     *float64        `json:"minimum,omitempty" acp:"strict"`
	Maximum     *float64        `json:"maximum,omitempty" acp:"strict"`
	MinItems    *int            `json:"minItems,omitempty" acp:"strict"`
	MaxItems    *int            `json:"maxItems,omitempty" acp:"strict"`
	Items       *PropertyItems  `json:"items,omitempty" acp:"strict"`
	Default     json.RawMessage `json:"default,omitempty"`
	Meta        Meta            `json:"_meta,omitempty"`
}

// EnumOption is a value to choose, and how it is shown.
type EnumOption struct {
	Const       string `json:"const" acp:"required"`
	Title       string `json:"title" acp:"required"`
	Description string `json:"description,omitempty"`
	Meta        Meta   `json:"_meta,omitempty"`
}

// PropertyItems are the values of a choice of several: plain (Type string, Enum) or titled (AnyOf).
type PropertyItems struct {
	Type  string       `json:"type,omitempty" acp:"strict"`
	Enum  []string     `json:"enum,omitempty" acp:"strict"`
	AnyOf []EnumOption `json:"anyOf,omitempty" acp:"strict"`
	Meta  Meta         `json:"_meta,omitempty"`
}

// MarshalJSON writes an object in the fields' order.
func (p Properties) MarshalJSON() ([]byte, error) {
	b := []byte("{")
	for i, f := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, f.Key), ':')
		var err error
		if b, err = encode(b, f); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads an object and keeps the order of its members.
func (p *Properties) UnmarshalJSON(b []byte) (err error) {
	*p = Properties{}
	whole := eachField(b, func(key, val []byte) bool {
		f := Property{Key: string(key)}
		if err = json.Unmarshal(val, &f); err != nil {
			err = within(string(key), err)
			return false
		}
		*p = append(*p, f)
		return true
	})
	if !whole && !isNull(b) {
		return &fieldError{"", "expected an object, found " + valueKind(b)}
	}
	return err
}

// The actions of an answer to an elicitation.
const (
	ElicitAccept  = "accept"
	ElicitDecline = "decline"
	ElicitCancel  = "cancel"
)

// ElicitResponse is the user's answer. Content has the form's values (string, number, bool or list
// of strings) when Action is accept; it may be absent even then.
type ElicitResponse struct {
	Action  string                     `json:"action" acp:"required"`
	Content map[string]json.RawMessage `json:"content,omitempty" acp:"strict"`
	Meta    Meta                       `json:"_meta,omitempty"`
}

// ElicitComplete says that the visit of an elicitation's URL has ended.
type ElicitComplete struct {
	ElicitationID string `json:"elicitationId" acp:"required"`
	Meta          Meta   `json:"_meta,omitempty"`
}
