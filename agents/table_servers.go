package agents

import (
	"encoding/json"
	"net/url"
	"strings"

	"gopkg.in/yaml.v3"
)

type lspDraft struct{ servers map[string]LSPServer }

func lspObject() object[lspDraft] {
	of := lspServerObject()
	elem := &spec{key: "server", kind: kindObject, nullable: true, object: &of.rules}
	ns := names{noun: "language server", known: knownServerNames(), required: []string{"command", "extensions"}}
	return newObject(rules{}, named("servers", ns, elem, func(l *lspDraft) *map[string]LSPServer { return &l.servers },
		func(w *walker, p pair) (LSPServer, bool) {
			server := knownServer(p.name)
			keys, ok := readObject(w, p.value, elem, of, &server)
			if ok && !contains(ns.known, p.name) {
				w.checkRequired(p.value, ns.required, keys)
			}
			server.Name, server.Extensions = p.name, dotted(server.Extensions)
			server.Line, server.Column = w.src.clamp(p.key.Line, p.key.Column)
			return server, ok
		},
		"Language servers by name. "+strings.Join(quotedCode(knownServerNames()), ", ")+" need only their name; what is written for them counts. Others need `command` and `extensions`. A server whose command isn't on the `PATH` is skipped."))
}

func lspServerObject() object[LSPServer] {
	return newObject(rules{},
		text("command", func(s *LSPServer) *string { return &s.Command }, "The program.", expand, program),
		texts("args", func(s *LSPServer) *[]string { return &s.Args }, "Its arguments.", expand),
		texts("extensions", func(s *LSPServer) *[]string { return &s.Extensions },
			"The extensions of its files, with or without a dot.", matching(`^\.?[^./\\\s][^/\\\s]*$`, "an extension such as .go")),
		text("languageId", func(s *LSPServer) *string { return &s.LanguageID },
			"What LSP calls the language.", unset("known by the extension, else the extension itself")),
		pairs("env", func(s *LSPServer) *map[string]string { return &s.Env }, "Variables to add to its environment.", expand),
		anything("initializationOptions", func(s *LSPServer) *json.RawMessage { return &s.InitializationOptions },
			"Sent to the server when it starts."),
		anything("settings", func(s *LSPServer) *json.RawMessage { return &s.Settings },
			"The server's configuration, sent when it starts and when it asks."),
	)
}

func mcpField() field[draft] {
	of := mcpObject()
	elem := &spec{key: "server", kind: kindObject, object: &of.rules}
	ns := names{noun: "MCP server", pattern: newPattern(`^[A-Za-z0-9][A-Za-z0-9_-]*$`),
		says: "letters, digits, - and _, a letter or digit first"}
	return named("mcpServers", ns, elem, func(d *draft) *map[string]MCPServer { return &d.MCPServers },
		func(w *walker, p pair) (MCPServer, bool) {
			var server MCPServer
			of.preset(&server)
			_, ok := readObject(w, p.value, elem, of, &server)
			server.Name = p.name
			server.Line, server.Column = w.src.clamp(p.key.Line, p.key.Column)
			return server, ok
		},
		"Servers of MCP tools by name: `command` to start one, or `url` to connect to one. Their tools appear as `<server>_<tool>`.")
}

func mcpObject() object[MCPServer] {
	of := newObject(rules{oneOf: []string{"command", "url"},
		needs: [][2]string{{"args", "command"}, {"env", "command"}, {"headers", "url"}}},
		text("command", func(s *MCPServer) *string { return &s.Command }, "The program.", expand, program),
		texts("args", func(s *MCPServer) *[]string { return &s.Args }, "Its arguments.", expand),
		pairs("env", func(s *MCPServer) *map[string]string { return &s.Env }, "Variables to add to its environment.", expand),
		text("url", func(s *MCPServer) *string { return &s.URL }, "The address of a server over HTTP. `${NAME}` isn't expanded here."),
		pairs("headers", func(s *MCPServer) *map[string]string { return &s.Headers },
			"HTTP headers to send. Their values are never logged, shown or saved.", expand, secret, headerNames),
		text("permission", func(s *MCPServer) *string { return &s.Permission },
			"`ask`: its tools ask before they run, also with `yolo: true`.", def("auto"), choices("ask", "auto")),
		texts("tools", func(s *MCPServer) *[]string { return &s.Tools },
			"The only tools of the server to declare.", unset("all"), notNull),
	)
	of.check = func(w *walker, keys found, s *MCPServer) {
		w.in("headers", func() { w.checkHeaders(keys.where("headers"), s.Headers) })
		if s.URL != "" {
			w.in("url", func() { w.checkURL(keys.where("url"), s.URL) })
		}
	}
	return of
}

// checkURL holds an address against what HTTP can call. n is nil for one of the environment.
func (w *walker) checkURL(n *yaml.Node, address string) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		// The address isn't shown: a password may stand in it.
		w.problem(n, "%s must be a whole address that begins with http:// or https://", w.name())
		return
	}
	w.urlSecrets(u)
}

// headerNames holds names against RFC 9110, 5.1 (token).
func headerNames(s *spec) {
	s.name = &names{noun: "HTTP header", pattern: newPattern("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"), says: "letters, digits and -"}
}

// checkHeaders finds values that HTTP can't send.
func (w *walker) checkHeaders(n *yaml.Node, headers map[string]string) {
	control := newPattern(`[\x00-\x08\x0a-\x1f\x7f]`)
	for name, value := range headers {
		if control.MatchString(value) {
			w.problem(keyNode(n, name), "the value of the header %s has a line end or another control character in it", quote(name))
		}
	}
}
