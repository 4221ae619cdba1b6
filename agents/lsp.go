package agents

import "strings"

// knownServers are the language servers that need only their name in a file.
func knownServers() []LSPServer {
	return []LSPServer{
		{Name: "gopls", Command: "gopls", Extensions: []string{".go"}},
		{Name: "typescript-language-server", Command: "typescript-language-server", Args: []string{"--stdio"},
			Extensions: []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}},
		{Name: "pyright", Command: "pyright-langserver", Args: []string{"--stdio"}, Extensions: []string{".py", ".pyi"}},
		{Name: "clangd", Command: "clangd",
			Extensions: []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"}},
		{Name: "rust-analyzer", Command: "rust-analyzer", Extensions: []string{".rs"}},
		{Name: "bash-language-server", Command: "bash-language-server", Args: []string{"start"},
			Extensions: []string{".sh", ".bash"}},
	}
}

func knownServerNames() []string {
	var names []string
	for _, s := range knownServers() {
		names = append(names, s.Name)
	}
	return names
}

// knownServer gives the defaults of a name, an empty server for an unknown one.
func knownServer(name string) LSPServer {
	for _, s := range knownServers() {
		if s.Name == name {
			return s
		}
	}
	return LSPServer{}
}

// Language gives the LSP language id for a file's extension (".tsx"): what the agent file says,
// else the known one (LSP 3.17, TextDocumentItem), else the extension without its dot.
func (s LSPServer) Language(extension string) string {
	if s.LanguageID != "" {
		return s.LanguageID
	}
	extension = strings.ToLower(extension)
	switch extension {
	case ".ts", ".mts", ".cts":
		return "typescript"
	case ".tsx":
		return "typescriptreact"
	case ".js", ".mjs", ".cjs":
		return "javascript"
	case ".jsx":
		return "javascriptreact"
	case ".py", ".pyi":
		return "python"
	case ".h":
		return "c"
	case ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx":
		return "cpp"
	case ".rs":
		return "rust"
	case ".sh", ".bash":
		return "shellscript"
	}
	return strings.TrimPrefix(extension, ".")
}

// dotted gives extensions their dot.
func dotted(extensions []string) []string {
	for i, e := range extensions {
		if e != "" && !strings.HasPrefix(e, ".") {
			extensions[i] = "." + e
		}
	}
	return extensions
}
