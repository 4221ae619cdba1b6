package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// outline answers symbols.
func (c *conn) outline(ctx context.Context, q request, d *document) (string, error) {
	var list []symbol
	var raw json.RawMessage
	err := c.ask(ctx, d, "textDocument/documentSymbol", map[string]documentID{"textDocument": {d.uri}}, &raw)
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	switch {
	case err != nil:
		return "", err
	case len(list) == 0:
		return "", refusal("[lsp: no symbols found in " + q.name + "]" + c.complained())
	}
	return strings.Join(outlineLines(nil, list, ""), "\n"), nil
}

// maxDepth bounds how deep symbols are nested.
const maxDepth = 20

// outlineLines adds a line "<kind> <name> [<detail>] line N" for each symbol.
func outlineLines(lines []string, list []symbol, indent string) []string {
	for _, s := range list {
		line := indent + kind(s.Kind) + " " + oneLine(s.Name)
		if detail := oneLine(firstOf(s.Detail, s.ContainerName)); detail != "" {
			line += " [" + detail + "]"
		}
		switch {
		case s.SelectionRange != nil:
			line += fmt.Sprintf(" line %d", s.SelectionRange.Start.Line+1)
		case s.Location != nil:
			line += fmt.Sprintf(" line %d", s.Location.Range.Start.Line+1)
		}
		lines = append(lines, line)
		if len(indent) < 2*maxDepth {
			lines = outlineLines(lines, s.Children, indent+"  ")
		}
	}
	return lines
}

// kind names a SymbolKind.
func kind(n int) string {
	names := []string{"file", "module", "namespace", "package", "class", "method", "property", "field", "constructor",
		"enum", "interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key",
		"null", "enum member", "struct", "event", "operator", "type parameter"}
	if n < 1 || n > len(names) {
		return "symbol"
	}
	return names[n-1]
}
