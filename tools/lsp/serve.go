package lsp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// Handle takes what the server sends by itself. It runs in the reading goroutine, so that a
// notification counts before the answer that follows it, and answers at once.
func (c *conn) Handle(ctx context.Context, rpc *jsonrpc2.Conn, req *jsonrpc2.Request) {
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	if req.Notif {
		c.notified(req.Method, params)
		return
	}
	result, failure := c.answer(req.Method, params)
	var err error
	if failure != nil {
		err = rpc.ReplyWithError(ctx, req.ID, failure)
	} else {
		err = rpc.Reply(ctx, req.ID, result)
	}
	if err != nil {
		c.log("%s: answering %s: %v", c.server.Name, req.Method, err)
	}
}

// notified handles a notification; those that aren't known are of no use here.
func (c *conn) notified(method string, params json.RawMessage) {
	switch method {
	case "textDocument/publishDiagnostics":
		var p publishDiagnostics
		if json.Unmarshal(params, &p) == nil {
			c.publish(p)
		}
	case "$/progress":
		var p struct {
			Token json.RawMessage              `json:"token"`
			Value struct{ Kind, Title string } `json:"value"`
		}
		if json.Unmarshal(params, &p) == nil {
			c.progressed(string(p.Token), p.Value.Kind, p.Value.Title)
		}
	case "window/showMessage":
		var p struct {
			Type    int    `json:"type"`
			Message string `json:"message"`
		}
		if json.Unmarshal(params, &p) == nil && p.Type == 1 { // an error
			c.update(func() { c.complaint = oneLine(p.Message) })
		}
	}
}

// answer answers a request of the server.
func (c *conn) answer(method string, params json.RawMessage) (result any, failure *jsonrpc2.Error) {
	switch method {
	case "workspace/configuration":
		return c.configuration(params), nil
	case "workspace/workspaceFolders":
		return c.folders(), nil
	case "client/registerCapability":
		c.register(params, "registrations", true)
		return nil, nil
	case "client/unregisterCapability":
		c.register(params, "unregisterations", false) // as the specification spells it
		return nil, nil
	case "window/workDoneProgress/create":
		return nil, nil
	case "window/showMessageRequest":
		return nil, nil // none of its actions is chosen
	case "window/showDocument":
		return map[string]bool{"success": false}, nil
	case "workspace/applyEdit":
		return map[string]any{"applied": false, "failureReason": "this client only applies edits that it asked for"}, nil
	}
	if strings.HasPrefix(method, "workspace/") && strings.HasSuffix(method, "/refresh") {
		return nil, nil // nothing that it could refresh is kept here
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "this client has no " + method}
}

// configuration answers with the settings, a section for each item, null where there is none.
func (c *conn) configuration(params json.RawMessage) []json.RawMessage {
	var p struct {
		Items []struct {
			Section string `json:"section"`
		} `json:"items"`
	}
	_ = json.Unmarshal(params, &p) // without items there is nothing to answer
	list := make([]json.RawMessage, len(p.Items))
	for i, item := range p.Items {
		list[i] = section(c.server.Settings, item.Section)
	}
	return list
}

// section finds "python.analysis" in settings: under that key, or under analysis in python.
func section(settings json.RawMessage, name string) json.RawMessage {
	if len(settings) == 0 {
		return json.RawMessage("null")
	}
	if name == "" {
		return settings
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(settings, &m) != nil {
		return json.RawMessage("null")
	}
	if v, ok := m[name]; ok {
		return v
	}
	head, rest, _ := strings.Cut(name, ".")
	if v, ok := m[head]; ok && rest != "" {
		return section(v, rest)
	}
	return json.RawMessage("null")
}

// register notes what a server offers later than in its answer to initialize.
func (c *conn) register(params json.RawMessage, key string, on bool) {
	var p map[string][]struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.update(func() {
		for _, r := range p[key] {
			if len(c.registered) < 1000 {
				c.registered[r.Method] = on
			}
		}
	})
}

// supports reports whether the server answers a request.
func (c *conn) supports(method, provider string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.registered[method] || c.can.provides(provider)
}

// update changes what mu guards and wakes whoever waits for a change.
func (c *conn) update(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	close(c.changed)
	c.changed = make(chan struct{})
}
