package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mini-me/mm/tools"
)

// The six actions.
const (
	definition  = "definition"
	references  = "references"
	hoverAction = "hover"
	symbols     = "symbols"
	diagnostics = "diagnostics"
	rename      = "rename"
)

func actions() []string {
	return []string{definition, references, hoverAction, symbols, diagnostics, rename}
}

// request is a call, read.
type request struct {
	action string
	root   string // the project: the folder that relative paths start from
	path   string // absolute
	name   string // the file as the model reads it
	// names are what to look for in the file, best first; none when only a position was given.
	names        []string
	line, column int // 0: none
	newName      string
}

// arguments are a call's arguments as models send them. The second names are those that the fields
// have in other agents' tools.
type arguments struct {
	Action   string `json:"action"`
	Path     string `json:"path"`
	FilePath string `json:"file_path"`
	File     string `json:"file"`
	Symbol   string `json:"symbol"`
	Line     number `json:"line"`
	Column   number `json:"column"`
	NewName  string `json:"new_name"`
	NewName2 string `json:"newName"`
}

// number is a line or column; strings are read too, and less than one means none.
type number int

// UnmarshalJSON reads 12, "12", 12.0 and null.
func (n *number) UnmarshalJSON(data []byte) error {
	s := strings.Trim(string(bytes.TrimSpace(data)), `" `)
	if s == "" || s == "null" {
		return nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return fmt.Errorf("%s is not a line or column number", data)
	}
	*n = number(max(int(f), 0))
	return nil
}

// read reads a call; refused is the model's text when it makes no sense.
func read(c tools.Call) (q request, refused string) {
	var a arguments
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return q, tools.BadArguments("lsp", err)
	}
	q = request{action: strings.ToLower(strings.TrimSpace(a.Action)), root: c.Cwd, line: int(a.Line), column: int(a.Column)}
	if !slices.Contains(actions(), q.action) {
		return q, fmt.Sprintf("[lsp: unknown action %q — use definition, references, hover, symbols, diagnostics or rename]", a.Action)
	}
	path := strings.TrimSpace(firstOf(a.Path, a.FilePath, a.File))
	if p, ok := toPath(path); ok {
		path = p
	}
	if path == "" {
		return q, "[lsp: path is empty — give the path of a file, relative to the working folder]"
	}
	q.path = path
	if !filepath.IsAbs(path) {
		q.path = filepath.Join(c.Cwd, path)
	}
	q.path = filepath.Clean(q.path)
	q.name = shown(c.Cwd, q.path)
	q.readNames(a)
	return q, q.missing(a)
}

// readNames cleans the symbol and the new name (tools.fr.md, symbol and new_name).
func (q *request) readNames(a arguments) {
	newName := identifiers(firstOf(a.NewName, a.NewName2))
	found := identifiers(a.Symbol)
	if q.action == rename && len(newName) == 0 && len(found) > 1 {
		newName = found[len(found)-1:]
	}
	if len(found) > 0 {
		q.names = variants(found[0])
	}
	if len(newName) > 0 {
		q.newName = newName[0]
	}
}

// pointed reports whether the action is about one symbol rather than a file.
func (q request) pointed() bool { return q.action != symbols && q.action != diagnostics }

// missing says what a request lacks.
func (q request) missing(a arguments) string {
	switch {
	case !q.pointed():
		return ""
	case q.action == rename && q.newName == "":
		return fmt.Sprintf("[lsp: rename needs new_name — call lsp again with %s; do not use edit_file for a rename]", q.again(a))
	case len(q.names) == 0 && (q.line == 0 || q.column == 0):
		return fmt.Sprintf(`[lsp: %s needs symbol, or line and column — call lsp again with {"action": %s, "path": %s, "symbol": "<the identifier>"}]`,
			q.action, quote(q.action), quote(q.name))
	}
	return ""
}

// again is the call that a rename without new_name should have been.
func (q request) again(a arguments) string {
	where := `"symbol": "<the identifier>"`
	switch {
	case len(q.names) > 0:
		where = `"symbol": ` + quote(q.names[0])
	case q.line > 0 && q.column > 0:
		where = fmt.Sprintf(`"line": %d, "column": %d`, q.line, q.column)
	case a.Symbol != "":
		where = `"symbol": ` + quote(a.Symbol)
	}
	return fmt.Sprintf(`{"action": "rename", "path": %s, %s, "new_name": "<the new identifier>"}`, quote(q.name), where)
}

// title is the call in one line: "definition main.go greet", "hover main.go:9:14",
// "rename main.go greet → hello".
func (q request) title() string {
	s := q.action + " " + q.name
	switch {
	case !q.pointed():
	case len(q.names) == 0 && q.line > 0:
		s += fmt.Sprintf(":%d:%d", q.line, q.column)
	case len(q.names) > 0 && q.line > 0:
		s += fmt.Sprintf(":%d %s", q.line, q.names[0])
	case len(q.names) > 0:
		s += " " + q.names[0]
	}
	if q.action == rename && q.newName != "" {
		s += " → " + q.newName
	}
	return s
}

func firstOf(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// quote writes a JSON string for a model: < and > as they are.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil { // a string always encodes
		return `""`
	}
	return strings.TrimSpace(b.String())
}
