package acp

import "encoding/json"

// Modes is the modes of a session and the one it is in.
type Modes struct {
	CurrentModeID  string     `json:"currentModeId" acp:"required"`
	AvailableModes List[Mode] `json:"availableModes" acp:"lenient"`
	Meta           Meta       `json:"_meta,omitempty"`
}

// Mode is one of them.
type Mode struct {
	ID          string `json:"id" acp:"required"`
	Name        string `json:"name" acp:"required"`
	Description string `json:"description,omitempty"`
	Meta        Meta   `json:"_meta,omitempty"`
}

// SetModeRequest puts a session in a mode.
type SetModeRequest struct {
	SessionID string `json:"sessionId" acp:"required"`
	ModeID    string `json:"modeId" acp:"required"`
	Meta      Meta   `json:"_meta,omitempty"`
}

// The types of config options. Boolean ones are for clients that announced them.
const (
	OptionSelect  = "select"
	OptionBoolean = "boolean"
)

// The categories of config options that ACP v1 names.
const (
	CategoryMode         = "mode"
	CategoryModel        = "model"
	CategoryModelConfig  = "model_config"
	CategoryThoughtLevel = "thought_level"
)

// ConfigOption is a setting of a session: a choice (OptionSelect, with Value and Options) or a
// switch (OptionBoolean, with On).
type ConfigOption struct {
	Type        string
	ID          string
	Name        string
	Description string
	Category    string
	Value       string
	On          bool
	Options     []ConfigValue
	Meta        Meta
}

// ConfigValue is one of a choice's values. Group names the group it stands in, "" for none;
// values are either all in groups or none is.
type ConfigValue struct {
	Value       string `json:"value" acp:"required"`
	Name        string `json:"name" acp:"required"`
	Description string `json:"description,omitempty"`
	Meta        Meta   `json:"_meta,omitempty"`

	Group     string `json:"-"`
	GroupName string `json:"-"`
}

type configOption struct {
	Type        string          `json:"type" acp:"required"`
	ID          string          `json:"id" acp:"required"`
	Name        string          `json:"name" acp:"required"`
	Description string          `json:"description,omitempty"`
	Category    string          `json:"category,omitempty"`
	Value       json.RawMessage `json:"currentValue" acp:"required"`
	Options     json.RawMessage `json:"options,omitempty"`
	Meta        Meta            `json:"_meta,omitempty"`
}

type configGroup struct {
	Group   string            `json:"group" acp:"required"`
	Name    string            `json:"name" acp:"required"`
	Options List[ConfigValue] `json:"options" acp:"lenient"`
	Meta    Meta              `json:"_meta,omitempty"`
}

// MarshalJSON writes the option as its type wants it.
func (o ConfigOption) MarshalJSON() ([]byte, error) {
	w := configOption{Type: o.Type, ID: o.ID, Name: o.Name, Description: o.Description, Category: o.Category, Meta: o.Meta}
	var err error
	if o.Type == OptionBoolean {
		if w.Value, err = json.Marshal(o.On); err != nil {
			return nil, err
		}
		return encode(nil, w)
	}
	if w.Value, err = encode(nil, o.Value); err != nil {
		return nil, err
	}
	if w.Options, err = encode(nil, grouped(o.Options)); err != nil {
		return nil, err
	}
	return encode(nil, w)
}

func grouped(values []ConfigValue) any {
	if len(values) == 0 || values[0].Group == "" {
		return List[ConfigValue](values)
	}
	var groups []configGroup
	for _, v := range values {
		if n := len(groups); n == 0 || groups[n-1].Group != v.Group {
			groups = append(groups, configGroup{Group: v.Group, Name: v.GroupName})
		}
		last := &groups[len(groups)-1]
		last.Options = append(last.Options, v)
	}
	return groups
}

// UnmarshalJSON reads an option of either type.
func (o *ConfigOption) UnmarshalJSON(b []byte) error {
	var w configOption
	if err := decodeObject(b, &w); err != nil {
		return err
	}
	*o = ConfigOption{Type: w.Type, ID: w.ID, Name: w.Name, Description: w.Description, Category: w.Category, Meta: w.Meta}
	switch w.Type {
	case OptionBoolean:
		if err := json.Unmarshal(w.Value, &o.On); err != nil {
			return within("currentValue", err)
		}
	case OptionSelect:
		if err := json.Unmarshal(w.Value, &o.Value); err != nil {
			return within("currentValue", err)
		}
		return within("options", o.readValues(w.Options))
	default:
		return &fieldError{"type", "unknown type of option " + w.Type}
	}
	return nil
}

func (o *ConfigOption) readValues(b []byte) error {
	var items []json.RawMessage
	if err := json.Unmarshal(b, &items); err != nil {
		return err
	}
	for _, item := range items {
		if field(item, "group") == nil {
			var v ConfigValue
			if err := json.Unmarshal(item, &v); err != nil {
				return err
			}
			o.Options = append(o.Options, v)
			continue
		}
		var g configGroup
		if err := json.Unmarshal(item, &g); err != nil {
			return err
		}
		for _, v := range g.Options {
			v.Group, v.GroupName = g.Group, g.Name
			o.Options = append(o.Options, v)
		}
	}
	return nil
}

// SetConfigOptionRequest changes a setting: Value for a choice, On for a switch (Type
// OptionBoolean).
type SetConfigOptionRequest struct {
	SessionID string
	ConfigID  string
	Type      string
	Value     string
	On        bool
	Meta      Meta
}

type setConfigOption struct {
	SessionID string          `json:"sessionId" acp:"required"`
	ConfigID  string          `json:"configId" acp:"required"`
	Type      string          `json:"type,omitempty" acp:"strict"`
	Value     json.RawMessage `json:"value" acp:"required"`
	Meta      Meta            `json:"_meta,omitempty"`
}

// MarshalJSON writes the value as its type wants it.
func (r SetConfigOptionRequest) MarshalJSON() ([]byte, error) {
	w := setConfigOption{SessionID: r.SessionID, ConfigID: r.ConfigID, Meta: r.Meta}
	var v any = r.Value
	if r.Type == OptionBoolean {
		w.Type, v = r.Type, r.On
	}
	var err error
	if w.Value, err = encode(nil, v); err != nil {
		return nil, err
	}
	return encode(nil, w)
}

// UnmarshalJSON reads a value of either type.
func (r *SetConfigOptionRequest) UnmarshalJSON(b []byte) error {
	var w setConfigOption
	if err := decodeObject(b, &w); err != nil {
		return err
	}
	*r = SetConfigOptionRequest{SessionID: w.SessionID, ConfigID: w.ConfigID, Type: w.Type, Meta: w.Meta}
	if w.Type == OptionBoolean {
		return within("value", json.Unmarshal(w.Value, &r.On))
	}
	return within("value", json.Unmarshal(w.Value, &r.Value))
}

// SetConfigOptionResponse is the complete list of options after the change.
type SetConfigOptionResponse struct {
	ConfigOptions List[ConfigOption] `json:"configOptions" acp:"lenient"`
	Meta          Meta               `json:"_meta,omitempty"`
}
