package lsp

import (
	"bytes"
	"encoding/json"
	"path/filepath"
)

// habits are initialization options for servers whose own defaults suit an editor and mislead a
// model. What the agent file says counts before them.
func habits(command string) json.RawMessage {
	switch filepath.Base(command) {
	case "typescript-language-server":
		// While the project loads, its second, quick server answers that an import is defined where
		// it is imported. Typings that a project lacks it fetches with npm before it answers, which
		// nobody asked for and takes 20 s without a network. And a rename from a place of use would
		// only make an alias there: "import { greet as welcome }".
		return json.RawMessage(`{"tsserver": {"useSyntaxServer": "never"}, "disableAutomaticTypingAcquisition": true,
			"preferences": {"providePrefixAndSuffixTextForRename": false}}`)
	}
	return nil
}

// overlay puts the members of over into base, objects member by member. What isn't an object
// replaces what was there.
func overlay(base, over json.RawMessage) json.RawMessage {
	over = bytes.TrimSpace(over)
	if len(base) == 0 || first(base) != '{' || len(over) > 0 && first(over) != '{' {
		if len(over) == 0 {
			return base
		}
		return over
	}
	var a, b map[string]json.RawMessage
	if json.Unmarshal(base, &a) != nil || len(over) > 0 && json.Unmarshal(over, &b) != nil {
		return over
	}
	for key, value := range b {
		a[key] = overlay(a[key], value)
	}
	merged, err := json.Marshal(a)
	if err != nil {
		return over
	}
	return merged
}
