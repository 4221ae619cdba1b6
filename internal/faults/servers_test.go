//go:build linux

package faults

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// serverEnv makes the test binary a server that doesn't want to end: "mcp NAME" or "lsp NAME". It
// notes that it runs under the name, and does nothing that it isn't made to.
const serverEnv = "MM_FAULTS_SERVER"

func playServer(what string) int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	kind, name, _ := strings.Cut(what, " ")
	started(name, os.Getpid())
	in := bufio.NewReader(os.Stdin)
	for {
		body, err := read(kind, in)
		if err != nil {
			forever()
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(body, &m) != nil || m.ID == nil {
			continue
		}
		switch m.Method {
		case "initialize":
			serve(kind, m.ID, map[string]string{
				"mcp": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stubborn","version":"1"}}`,
				"lsp": `{"capabilities":{"textDocumentSync":1,"documentSymbolProvider":true,"hoverProvider":true}}`,
			}[kind])
		case "tools/list":
			serve(kind, m.ID, `{"tools":[{"name":"hang","description":"never answers","inputSchema":{"type":"object"}},`+
				`{"name":"quick","description":"answers","inputSchema":{"type":"object"}}]}`)
		case "tools/call":
			if strings.Contains(string(body), `"quick"`) {
				serve(kind, m.ID, `{"content":[{"type":"text","text":"ok"}]}`)
				continue
			}
			started(name+"-called", os.Getpid())
		case "textDocument/documentSymbol":
			serve(kind, m.ID, `[]`)
		case "textDocument/hover":
			started(name+"-called", os.Getpid())
		}
	}
}

// read reads a message: a line of MCP, or a body of LSP with its header.
func read(kind string, in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadString('\n')
	if kind == "mcp" || err != nil {
		return []byte(line), err
	}
	n := 0
	for ; strings.TrimSpace(line) != "" && err == nil; line, err = in.ReadString('\n') {
		if v, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			n, _ = strconv.Atoi(strings.TrimSpace(v))
		}
	}
	body := make([]byte, n)
	_, err = io.ReadFull(in, body)
	return body, err
}

func serve(kind string, id json.RawMessage, result string) {
	text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	if kind == "lsp" {
		fmt.Printf("Content-Length: %d\r\n\r\n%s", len(text), text)
		return
	}
	fmt.Println(text)
}
