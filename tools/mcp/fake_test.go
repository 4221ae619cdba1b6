package mcp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// fake is a server of MCP over stdio, written by hand so that it can misbehave.
type fake struct {
	mode string
	out  *bufio.Writer
	note string // a file for what the test wants to see
	more bool   // the list has changed
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
	Result json.RawMessage `json:"result,omitempty"`
}

func playServer(mode string) {
	f := &fake{mode: mode, out: bufio.NewWriter(os.Stdout), note: os.Getenv("MCP_NOTE")}
	f.write(fmt.Sprintf("started %d key=%q\n", os.Getpid(), os.Getenv("MM_API_KEY")))
	if mode == "second" && strings.Count(f.read(), "started") < 2 {
		mode = "exits"
	}
	if mode == "exits" {
		fmt.Fprintln(os.Stderr, "a line before\nno key: set FAKE_KEY")
		syscall.Exit(3)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var m message
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			panic(err)
		}
		f.handle(m)
	}
	syscall.Exit(0) // where os.Exit would let the race detector sleep for a second
}

func (f *fake) read() string {
	data, _ := os.ReadFile(f.note)
	return string(data)
}

// write appends to the test's file.
func (f *fake) write(s string) {
	if f.note == "" {
		return
	}
	file, err := os.OpenFile(f.note, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	_, _ = file.WriteString(s)
}

func (f *fake) say(format string, args ...any) {
	fmt.Fprintf(f.out, format+"\n", args...)
	f.out.Flush()
}

func (f *fake) result(m message, text string) {
	f.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text)
}

func (f *fake) text(m message, text string) {
	quoted, _ := json.Marshal(text)
	f.result(m, fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, quoted))
}

func (f *fake) handle(m message) {
	switch {
	case f.mode == "mute":
	case m.Method == "initialize":
		f.initialize(m)
	case m.Method == "tools/list":
		f.list(m)
	case m.Method == "ping":
		f.write("ping\n")
		if f.mode != "dead" {
			f.result(m, `{}`)
		}
	case m.Method == "tools/call":
		f.call(m)
	case m.Method == "notifications/cancelled":
		f.write("cancelled\n")
	case m.Method == "" && m.Result != nil: // of a question
		f.write("answer " + string(m.Result) + "\n")
		f.text(message{ID: json.RawMessage(`2000`)}, "unasked")
		if last != nil {
			f.text(*last, "you said "+string(m.Result))
		}
	case m.ID != nil:
		f.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
	}
}

func (f *fake) initialize(m message) {
	if f.mode == "noise" {
		f.say("Welcome to Noise 2.0!\n\n  [INFO] {\"not\": \"the protocol\"}\n{\"log\":\"neither\"}\n{broken\n[1,2")
	}
	if f.mode == "new" {
		f.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
		syscall.Exit(0)
	}
	f.result(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fake","version":"1"}}`)
}

func (f *fake) list(m message) {
	f.write("list\n")
	if f.mode == "relist" && f.more {
		return
	}
	tools := []string{
		`{"name":"work","description":"Does <some> work","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"zeal":{"type":"string","pattern":"^\\d+$"},"amount":{"type":"integer","maximum":9}},"required":["zeal"]}}`,
		`{"name":"a.b","inputSchema":{"type":"object"}}`,
		`{"name":"a b","inputSchema":{"type":"object"}}`,
		`{"name":"later","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`,
	}
	if f.more {
		tools = append(tools, `{"name":"new","description":"New.","inputSchema":{"type":"object"}}`)
	}
	f.result(m, `{"tools":[`+strings.Join(tools, ",")+`]}`)
}

// last is the call that a question belongs to.
var last *message

func (f *fake) call(m message) {
	f.write("call " + m.Params.Name + " " + string(m.Params.Arguments) + "\n")
	switch f.mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "panic: out of luck")
		syscall.Exit(4)
	case "dead", "slow":
	case "progress":
		for i := range 30 {
			time.Sleep(100 * time.Millisecond)
			f.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, m.Params.Meta.Token, i)
		}
		f.text(m, "at last")
	case "flood":
		line := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 1000) + `"}}`
		for range 10_000 {
			fmt.Fprintln(f.out, line)
		}
		f.text(m, "after the flood")
	case "long":
		f.text(m, strings.Repeat("y", 17<<20))
	case "changes", "relist":
		f.more = !f.more
		f.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		f.text(m, "changed")
	case "error":
		f.result(m, `{"content":[{"type":"text","text":"the disk is full"}],"isError":true}`)
	case "refuses":
		f.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no amount of work"}}`, m.ID)
	case "asks":
		last = &m
		f.say(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Who are you?","requestedSchema":%s}}`, os.Getenv("MCP_SCHEMA"))
	default:
		f.text(m, "done "+string(m.Params.Arguments))
	}
}
