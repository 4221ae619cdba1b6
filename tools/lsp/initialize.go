package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// clientCapabilities say what this client can do (LSP 3.17, ClientCapabilities). Diagnostics are
// those that servers publish: a client that offers to pull them gets no others from some.
const clientCapabilities = `{
	"general": {"positionEncodings": ["utf-16"]},
	"workspace": {
		"applyEdit": false,
		"configuration": true,
		"workspaceFolders": true,
		"didChangeConfiguration": {"dynamicRegistration": true},
		"didChangeWatchedFiles": {"dynamicRegistration": true},
		"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"], "failureHandling": "abort"}
	},
	"textDocument": {
		"synchronization": {"didSave": true},
		"definition": {"linkSupport": true},
		"references": {},
		"hover": {"contentFormat": ["markdown", "plaintext"]},
		"documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
		"rename": {},
		"publishDiagnostics": {"versionSupport": true}
	},
	"window": {"workDoneProgress": true, "showMessage": {}, "showDocument": {"support": false}}
}`

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type clientInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type initializeParams struct {
	ProcessID             int               `json:"processId"`
	ClientInfo            clientInfo        `json:"clientInfo"`
	RootPath              string            `json:"rootPath"`
	RootURI               string            `json:"rootUri"`
	Capabilities          json.RawMessage   `json:"capabilities"`
	InitializationOptions json.RawMessage   `json:"initializationOptions,omitempty"`
	WorkspaceFolders      []workspaceFolder `json:"workspaceFolders"`
}

// initializeResult is what the server can do.
type initializeResult struct {
	Capabilities map[string]json.RawMessage `json:"capabilities"`
}

// provides reports whether the server said that it answers a request ("hoverProvider").
func (r initializeResult) provides(name string) bool {
	switch string(r.Capabilities[name]) {
	case "", "false", "null":
		return false
	}
	return true
}

// encoding is the server's unit of columns.
func (r initializeResult) encoding() string {
	var s string
	if json.Unmarshal(r.Capabilities["positionEncoding"], &s) != nil || s == "" {
		return "utf-16"
	}
	return s
}

// initialize makes the server known to this client, and the other way round.
func (c *conn) initialize(ctx context.Context, version string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.limits.start, errSlow{" to initialize", c.limits.start})
	defer cancel()
	params := initializeParams{
		ProcessID: os.Getpid(), ClientInfo: clientInfo{"mm", version},
		RootPath: c.root, RootURI: toURI(c.root),
		Capabilities: json.RawMessage(clientCapabilities), InitializationOptions: overlay(habits(c.server.Command), c.server.InitializationOptions),
		WorkspaceFolders: c.folders(),
	}
	if err := c.call(ctx, "initialize", params, &c.can); err != nil {
		return err
	}
	if e := c.can.encoding(); e != "utf-16" {
		return fmt.Errorf("it counts columns in %s, which this client didn't offer", e)
	}
	err := c.notify("initialized", struct{}{})
	if err == nil && len(c.server.Settings) > 0 {
		err = c.notify("workspace/didChangeConfiguration", map[string]json.RawMessage{"settings": c.server.Settings})
	}
	return err
}

func (c *conn) folders() []workspaceFolder {
	return []workspaceFolder{{URI: toURI(c.root), Name: filepath.Base(c.root)}}
}
