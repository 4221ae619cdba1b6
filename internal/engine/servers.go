package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mini-me/mm/tools/lsp"
	"github.com/mini-me/mm/tools/mcp"
)

// newLSP makes the lsp tool of the agent file's language servers; it only looks for them on the
// PATH. The tool is nil when none is found.
func (e *Engine) newLSP() *lsp.Tool {
	f := e.file
	if len(f.LSPServers) == 0 {
		return nil
	}
	names := make([]string, 0, len(f.LSPServers))
	for name := range f.LSPServers {
		names = append(names, name)
	}
	slices.Sort(names)
	o := lsp.Options{MaxOutput: f.MaxOutput, Guard: e.o.Executable, Env: e.o.Env, Version: e.o.Version, Log: e.o.Log}
	for _, name := range names {
		s := f.LSPServers[name]
		o.Servers = append(o.Servers, lsp.Server{
			Name: name, Command: s.Command, Args: s.Args, Extensions: s.Extensions, Language: s.Language,
			Env: s.Env, InitializationOptions: s.InitializationOptions, Settings: s.Settings,
		})
	}
	tool, warnings := lsp.New(o)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.warned = append(e.warned, warnings...)
	return tool
}

// newMCP makes the MCP servers of the agent file; none is started before the first question.
func (e *Engine) newMCP() *mcp.Servers {
	if len(e.file.MCPServers) == 0 {
		return nil
	}
	names := make([]string, 0, len(e.file.MCPServers))
	for name := range e.file.MCPServers {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []mcp.Server
	for _, name := range names {
		s := e.file.MCPServers[name]
		list = append(list, mcp.Server{Name: name, Command: s.Command, Args: s.Args, Env: s.Env, URL: s.URL, Headers: s.Headers, Ask: s.Permission == "ask", Tools: s.Tools})
	}
	return mcp.New(e.mcpOptions(list, "", e.names()))
}

// newSessionMCP makes the MCP servers that came with a session. Those of the agent file are there
// before, so that they have the names.
func (e *Engine) newSessionMCP(list []mcp.Server, dir string) (*mcp.Servers, *mcp.Names) {
	if len(list) == 0 {
		return nil, nil
	}
	e.mcp()
	names := e.names().Session()
	return mcp.New(e.mcpOptions(list, dir, names)), names
}

func (e *Engine) mcpOptions(list []mcp.Server, dir string, names *mcp.Names) mcp.Options {
	return mcp.Options{Servers: list, Names: names, MaxOutput: e.file.MaxOutput, Silence: e.file.WatchdogTimeout,
		Dir: dir, Guard: e.o.Executable, Env: e.o.Env, Version: e.o.Version, Log: e.o.Log}
}

// builtInNames are the names that no MCP tool may take.
func builtInNames() *mcp.Names {
	return mcp.NewNames("bash", "read_file", "write_file", "edit_file", "lsp", "read_skill", "fetch_content", "ask_agent", "ask_user", "plan")
}

// mcpLine is the banner's line about MCP servers, "" when none are configured.
func (e *Engine) mcpLine() string {
	if len(e.file.MCPServers) == 0 {
		return ""
	}
	names := make([]string, 0, len(e.file.MCPServers))
	for name := range e.file.MCPServers {
		names = append(names, name)
	}
	slices.Sort(names)
	return "mcp: " + strings.Join(names, ", ")
}

// lspLine is the banner's line about language servers, "" when none are configured.
func (e *Engine) lspLine() string {
	if len(e.file.LSPServers) == 0 {
		return ""
	}
	names := e.lsp().Names()
	if len(names) == 0 {
		return "lsp: none found"
	}
	return "lsp: " + strings.Join(names, ", ")
}

// OwnWarnings are lines for the person about this agent's own file and servers.
func (e *Engine) OwnWarnings() []string {
	list := slices.Clone(e.file.Warnings)
	e.lsp() // notes its warnings
	e.mu.Lock()
	defer e.mu.Unlock()
	return append(list, e.warned...)
}

// Warnings are lines for the person at the start: also about agents that can't be asked.
func (e *Engine) Warnings() []string {
	list := e.OwnWarnings()
	for _, a := range e.Agents() {
		if a.Broken != "" {
			list = append(list, fmt.Sprintf("%s can't be asked: %s", a.Name, a.Broken))
		}
	}
	return list
}
