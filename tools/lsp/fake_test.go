//go:build linux || darwin

package lsp_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mini-me/mm/tools/lsp"
)

const fakeArg = "--fake-language-server"

// fakeServer is the test binary as a language server for .txt files. It answers a request with what
// the file answers/<method> of its folder says, "/" in the method being "-", and null without one.
// DIR in it is the folder's URI. It publishes answers/diagnostics after each didOpen and didChange,
// and writes what it receives to the file received, a line "method params" each. The mode says what
// it does otherwise.
func fakeServer(mode string) lsp.Server {
	return lsp.Server{Name: "fake", Command: os.Args[0], Args: []string{fakeArg, mode}, Extensions: []string{".txt"}}
}

// newFake makes a project with the fake at work.
func newFake(t *testing.T, mode, files string) *project {
	t.Helper()
	p := newProject(t, files, fakeServer(mode))
	if mode == "" {
		lsp.Quick(p.tool) // it reports none
	}
	return p
}

// received returns what the fake received of a method, the parameters of each message.
func (p *project) received(method string) []string {
	p.t.Helper()
	data, err := os.ReadFile(p.path("received"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(data)) {
		if got, params, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); got == method {
			list = append(list, strings.ReplaceAll(params, p.dir, "DIR"))
		}
	}
	return list
}

// await waits until the fake has received something of a method.
func (p *project) await(method string) {
	for end := time.Now().Add(time.Minute); len(p.received(method)) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Errorf("the fake never received %s", method)
			return
		}
	}
}

type fakeMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// fake is the server's side.
type fake struct {
	mode    string
	in      *bufio.Reader
	out     io.Writer
	log     io.Writer
	replies []string // to its own requests
	asked   int      // how many of those it sent
	calls   int
}

// playFake never returns. It ends by syscall.Exit, since the race detector makes os.Exit wait a second.
func playFake(mode string) {
	log, err := os.OpenFile("received", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		syscall.Exit(4)
	}
	f := &fake{mode: mode, in: bufio.NewReader(os.Stdin), out: os.Stdout, log: log}
	if mode == "stubborn" {
		signal.Ignore(syscall.SIGTERM)
	}
	if mode == "noisy" {
		fmt.Println("Fake language server 1.0 starts ...")
		fmt.Print("no line end here: ")
	}
	for {
		m, err := f.read()
		if err != nil {
			if mode == "stubborn" {
				select {}
			}
			syscall.Exit(0)
		}
		f.handle(m)
	}
}

func (f *fake) read() (m fakeMessage, err error) {
	length := 0
	for {
		line, err := f.in.ReadString('\n')
		if err != nil {
			return m, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(n); err != nil {
				return m, err
			}
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(f.in, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

func (f *fake) send(body string) {
	if f.mode == "noisy" {
		fmt.Fprintf(f.out, "a log line\ncontent-type: application/vscode-jsonrpc; charset=utf-8\ncontent-length:%d\n\n%s", len(body), body)
		return
	}
	fmt.Fprintf(f.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (f *fake) notify(method, params string) {
	f.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// ask sends a request with an id of its own choice.
func (f *fake) ask(id, method, params string) {
	f.asked++
	f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
}

func (f *fake) reply(m fakeMessage, result string) {
	f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
}

func (f *fake) refuse(m fakeMessage, code int, text string) {
	f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text))
}

// answer is what a file says, with DIR filled in.
func (f *fake) answer(method string) string {
	dir, _ := os.Getwd()
	data, err := os.ReadFile(filepath.Join("answers", strings.ReplaceAll(strings.TrimPrefix(method, "textDocument/"), "/", "-")))
	if err != nil {
		return ""
	}
	data = bytes.ReplaceAll(bytes.TrimSpace(data), []byte("DIR"), []byte("file://"+dir))
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		fmt.Fprintf(os.Stderr, "the answer to %s isn't JSON\n", method)
		syscall.Exit(5)
	}
	return b.String()
}

func (f *fake) handle(m fakeMessage) {
	var params bytes.Buffer
	if len(m.Params) > 0 {
		_ = json.Compact(&params, m.Params)
	}
	fmt.Fprintf(f.log, "%s %s\n", m.Method, params.String())
	switch {
	case m.Method == "":
		f.replies = append(f.replies, fmt.Sprintf("%s: %s%s", m.ID, m.Result, m.Error))
		return
	case f.special(m):
		return
	}
	switch m.Method {
	case "initialize":
		capabilities := f.answer("capabilities")
		if capabilities == "" {
			capabilities = `{"hoverProvider":true,"definitionProvider":{},"referencesProvider":true,"documentSymbolProvider":true,"renameProvider":true}`
		}
		f.reply(m, `{"capabilities":`+capabilities+`}`)
	case "exit":
		syscall.Exit(0)
	case "textDocument/didOpen", "textDocument/didChange":
		if diagnostics := f.answer("diagnostics"); diagnostics != "" {
			f.notify("textDocument/publishDiagnostics", diagnostics)
		}
	default:
		if m.ID == nil {
			return
		}
		answer := f.answer(m.Method)
		if answer == "" {
			answer = "null"
		}
		f.reply(m, answer)
	}
}

// special does what the mode wants; it reports whether that was all.
func (f *fake) special(m fakeMessage) bool {
	switch f.mode + " " + m.Method {
	case "crash textDocument/hover":
		fmt.Fprintln(os.Stderr, "something is wrong")
		fmt.Fprintln(os.Stderr, "panic: no such luck")
		syscall.Exit(3)
	case "crash-once textDocument/hover":
		f.calls++
		if _, err := os.Stat("crashed"); err != nil && f.calls == 2 {
			_ = os.WriteFile("crashed", nil, 0o666)
			syscall.Exit(1)
		}
	case "broken initialize":
		fmt.Fprintln(os.Stderr, "Error: Cannot find module 'typescript'")
		syscall.Exit(1)
	case "refusing initialize":
		f.refuse(m, -32603, "Could not find a valid\nTypeScript installation.")
		return true
	case "silent textDocument/hover", "mute initialize", "stubborn shutdown", "stubborn exit":
		return true
	case "deaf textDocument/didOpen":
		select {}
	case "utf-8 initialize":
		f.reply(m, `{"capabilities":{"positionEncoding":"utf-8"}}`)
		return true
	case "huge textDocument/hover":
		fmt.Fprintf(f.out, "Content-Length: %d\r\n\r\n", 65<<20)
		return true
	case "odd textDocument/hover":
		f.calls++
		f.oddAnswer(m)
		return true
	case "busy textDocument/hover":
		f.calls++
		if f.calls < 3 {
			f.refuse(m, -32801, "content modified")
			return true
		}
	case "asking initialized":
		f.askAll()
	case "asking textDocument/hover":
		text, _ := json.Marshal(strings.Join(f.replies, "\n"))
		f.reply(m, `{"contents":`+string(text)+`}`)
		return true
	case "indexing initialized":
		f.ask(`"p"`, "window/workDoneProgress/create", `{"token":7}`)
		f.notify("$/progress", `{"token":7,"value":{"kind":"begin","title":"Indexing"}}`)
		f.notify("$/progress", `{"token":7,"value":{"kind":"report","percentage":50}}`)
		time.AfterFunc(time.Second, func() {
			_ = os.WriteFile("indexed", nil, 0o666)
			f.notify("$/progress", `{"token":7,"value":{"kind":"end"}}`)
		})
	case "touching textDocument/rename":
		_ = os.WriteFile("sub/b.txt", []byte("touched\n"), 0o666)
	case "late textDocument/definition":
		f.calls++
		if f.calls == 1 { // it begins to look only now
			f.notify("$/progress", `{"token":"x","value":{"kind":"begin","title":"Loading"}}`)
			f.reply(m, "[]")
			f.notify("$/progress", `{"token":"x","value":{"kind":"end"}}`)
			return true
		}
	case "endless initialized":
		f.notify("$/progress", `{"token":7,"value":{"kind":"begin","title":"Indexing"}}`)
	case "indexing textDocument/definition":
		if _, err := os.Stat("indexed"); err != nil {
			f.reply(m, "null")
			return true
		}
	case "two-step textDocument/didOpen": // the syntax first
		f.notify("textDocument/publishDiagnostics", f.answer("syntax"))
		time.AfterFunc(100*time.Millisecond, func() { f.notify("textDocument/publishDiagnostics", f.answer("diagnostics")) })
		return true
	case "forgetful textDocument/didChange":
		return true // publishes nothing
	case "complaining initialized":
		f.notify("window/showMessage", `{"type":3,"message":"all is well"}`)
		f.notify("window/showMessage", `{"type":1,"message":"go: command\nnot found"}`)
	case "registering initialized":
		f.ask("1", "client/registerCapability", `{"registrations":[{"id":"h","method":"textDocument/hover"}]}`)
	}
	return false
}

// oddAnswer answers in ways that the protocol's libraries wouldn't.
func (f *fake) oddAnswer(m fakeMessage) {
	f.send(`{"jsonrpc":"2.0","id":99999,"result":"nobody asked"}`)
	f.send(`{"jsonrpc":"2.0","id":-4,"result":null}`)
	f.send(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`)
	f.send(`{"jsonrpc":"2.0"}`)
	f.send(`[]`)
	f.send(`{"jsonrpc":`)
	f.send("\xff\xfe")
	f.send(`{"jsonrpc":"2.0","method":"fake/unknown","params":[1,2]}`)
	f.send(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":"none"}`)
	f.send(`{"jsonrpc":"2.0","method":"$/progress","params":null}`)
	switch f.calls {
	case 1: // no result at all
		f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s}`, m.ID))
	case 2:
		f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":"it broke"}`, m.ID))
	case 3:
		f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"contents":17}}`, m.ID))
	default: // blanks around the message, and both a result and a null error
		f.send(fmt.Sprintf("\n {\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":null,\"result\":{\"contents\":{\"language\":\"c\",\"value\":\"int x\"}}}\r\n\r\n", m.ID))
	}
}

// askAll sends every request that a server may send, with ids of all kinds.
func (f *fake) askAll() {
	f.ask("0", "workspace/configuration", `{"items":[{"section":"fake"},{"section":"fake.deep.key"},{"section":"none"},{}]}`)
	f.ask("-1", "client/registerCapability", `{"registrations":[{"id":"a","method":"workspace/didChangeWatchedFiles"}]}`)
	f.ask("1.5", "client/unregisterCapability", `{"unregisterations":[{"id":"a","method":"workspace/didChangeWatchedFiles"}]}`)
	f.ask(`"1.5"`, "window/workDoneProgress/create", `{"token":"t"}`)
	f.ask(`"é\n"`, "workspace/applyEdit", `{"edit":{}}`)
	f.ask("9007199254740993", "window/showMessageRequest", `{"type":1,"message":"?","actions":[{"title":"yes"}]}`)
	f.ask("6", "workspace/workspaceFolders", `null`)
	f.ask("7", "window/showDocument", `{"uri":"file:///x"}`)
	f.ask("8", "workspace/semanticTokens/refresh", `null`)
	f.ask("9", "fake/unknown", `{}`)
	f.ask("10", "workspace/configuration", `"?"`)
}
