package lsp

import (
	"encoding/json"
	"strings"
)

// The types below are the part of LSP 3.17 that the six actions need.

// position counts from 0, characters in UTF-16 units.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is a Range.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// place is a Location or a LocationLink.
type place struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`

	TargetURI            string `json:"targetUri"`
	TargetRange          span   `json:"targetRange"`
	TargetSelectionRange *span  `json:"targetSelectionRange"`
}

// location is where the place is, whichever form it came in.
func (p place) location() (uri string, r span) {
	switch {
	case p.TargetURI == "":
		return p.URI, p.Range
	case p.TargetSelectionRange != nil:
		return p.TargetURI, *p.TargetSelectionRange
	}
	return p.TargetURI, p.TargetRange
}

// places is Location | Location[] | LocationLink[] | null.
type places []place

// UnmarshalJSON reads any of the forms.
func (l *places) UnmarshalJSON(data []byte) error {
	if first(data) != '{' {
		var list []place
		err := json.Unmarshal(data, &list)
		*l = list
		return err
	}
	var one place
	err := json.Unmarshal(data, &one)
	*l = places{one}
	return err
}

// hover is the answer to textDocument/hover.
type hover struct {
	Contents hoverText `json:"contents"`
}

// hoverText is MarkupContent | MarkedString | MarkedString[], as one text.
type hoverText string

// UnmarshalJSON reads any of the forms. A MarkedString with a language is a fenced block.
func (h *hoverText) UnmarshalJSON(data []byte) error {
	switch first(data) {
	case '[':
		var list []hoverText
		if err := json.Unmarshal(data, &list); err != nil {
			return err
		}
		var parts []string
		for _, s := range list {
			if strings.TrimSpace(string(s)) != "" {
				parts = append(parts, string(s))
			}
		}
		*h = hoverText(strings.Join(parts, "\n\n"))
		return nil
	case '{':
		var s struct{ Language, Value string }
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*h = hoverText(s.Value)
		if s.Language != "" {
			*h = hoverText("```" + s.Language + "\n" + s.Value + "\n```")
		}
		return nil
	}
	var s string
	err := json.Unmarshal(data, &s)
	*h = hoverText(s)
	return err
}

// symbol is a DocumentSymbol or a SymbolInformation.
type symbol struct {
	Name           string   `json:"name"`
	Detail         string   `json:"detail"`
	Kind           int      `json:"kind"`
	SelectionRange *span    `json:"selectionRange"`
	Children       []symbol `json:"children"`

	ContainerName string `json:"containerName"`
	Location      *place `json:"location"`
}

type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

type publishDiagnostics struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// workspaceEdit is the answer to textDocument/rename.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes"`
	DocumentChanges []documentChange      `json:"documentChanges"`
}

// documentChange is TextDocumentEdit | CreateFile | RenameFile | DeleteFile.
type documentChange struct {
	Kind         string `json:"kind"` // "" for edits, else "create", "rename", "delete"
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`

	URI     string `json:"uri"`
	OldURI  string `json:"oldUri"`
	NewURI  string `json:"newUri"`
	Options struct {
		Overwrite         bool `json:"overwrite"`
		IgnoreIfExists    bool `json:"ignoreIfExists"`
		Recursive         bool `json:"recursive"`
		IgnoreIfNotExists bool `json:"ignoreIfNotExists"`
	} `json:"options"`
}

type documentID struct {
	URI string `json:"uri"`
}

type documentItem struct {
	URI        string `json:"uri"`
	LanguageID string `json:"languageId"`
	Version    int    `json:"version"`
	Text       string `json:"text"`
}

type versionedID struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

// positionParams are those of definition, hover, references and rename.
type positionParams struct {
	TextDocument documentID        `json:"textDocument"`
	Position     position          `json:"position"`
	Context      *referenceContext `json:"context,omitempty"`
	NewName      string            `json:"newName,omitempty"`
}

type referenceContext struct {
	IncludeDeclaration bool `json:"includeDeclaration"`
}

// fileEvent is one of workspace/didChangeWatchedFiles.
type fileEvent struct {
	URI  string `json:"uri"`
	Type int    `json:"type"`
}

const (
	fileCreated = 1
	fileChanged = 2
	fileDeleted = 3
)

// first is the first byte of a JSON value, 0 of an empty text.
func first(data []byte) byte {
	for _, b := range data {
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return b
		}
	}
	return 0
}
