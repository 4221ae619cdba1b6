package llm

import "slices"

// ChatModels lists the models of a server that can be asked, those first that are loaded.
func ChatModels(s Server) []string {
	var loaded, others []string
	for _, name := range s.Models {
		switch m := (listed{ID: name}); {
		case !m.chats():
		case slices.Contains(s.Loaded, name):
			loaded = append(loaded, name)
		default:
			others = append(others, name)
		}
	}
	return append(loaded, others...)
}
