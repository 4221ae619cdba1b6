package lsp

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Server is a language server as the agent file names it (supplement 1, lsp.servers).
type Server struct {
	Name string
	// Command is looked for on the PATH that the server gets, or is an absolute path.
	Command string
	Args    []string
	// Extensions are those of its files, with their dot: ".go". Case doesn't count.
	Extensions []string
	// Language gives the language id of an extension (LSP 3.17, TextDocumentItem); the extension
	// without its dot when nil.
	Language func(extension string) string
	// Env is added to Options.Env.
	Env                   map[string]string
	InitializationOptions json.RawMessage
	// Settings answer the server's workspace/configuration, by section.
	Settings json.RawMessage
}

// label is the server as descriptions list it: "gopls (.go)".
func (s Server) label() string {
	return s.Name + " (" + strings.Join(s.Extensions, ", ") + ")"
}

// serves reports whether the server is for a file of that name.
func (s Server) serves(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(s.Extensions, func(e string) bool { return e != "" && strings.HasSuffix(name, strings.ToLower(e)) })
}

func (s Server) language(extension string) string {
	if s.Language == nil {
		return strings.TrimPrefix(strings.ToLower(extension), ".")
	}
	return s.Language(extension)
}

// environ is the server's environment.
func (s Server) environ(base []string) []string {
	if base == nil {
		base = os.Environ()
	}
	env := slices.Clone(base)
	for _, name := range sortedKeys(s.Env) {
		env = append(env, name+"="+s.Env[name])
	}
	return env
}

// find returns the path of the server's command.
func (s Server) find(base []string) (string, bool) {
	if strings.ContainsRune(s.Command, filepath.Separator) || strings.Contains(s.Command, "/") {
		path, err := exec.LookPath(s.Command)
		return path, err == nil
	}
	var search string
	for _, kv := range s.environ(base) {
		if name, value, _ := strings.Cut(kv, "="); name == "PATH" || strings.EqualFold(name, "PATH") && filepath.Separator == '\\' {
			search = value
		}
	}
	for _, dir := range filepath.SplitList(search) {
		if dir == "" {
			dir = "."
		}
		// With a folder in front LookPath looks nowhere else, and knows what a program is here.
		path, err := exec.LookPath(dir + string(filepath.Separator) + s.Command)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err == nil {
			return path, true
		}
	}
	return "", false
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
