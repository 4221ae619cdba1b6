//go:build linux || darwin

package lsp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/lsp"
)

const oneFile = `
-- a.txt --
first greet
/* 𝒳é */ second greet 𝒳
-- answers/hover --
{"contents": {"kind": "markdown", "value": "**greet**"}}
-- answers/definition --
{"uri": "DIR/a.txt", "range": {"start": {"line": 1, "character": 17}, "end": {"line": 1, "character": 22}}}
`

const (
	hoverGreet  = `"action": "hover", "path": "a.txt", "symbol": "greet"`
	defineGreet = `"action": "definition", "path": "a.txt", "symbol": "greet"`
)

// TestRequestsOfServers: every request that a server sends is answered, whatever its id is like.
func TestRequestsOfServers(t *testing.T) {
	t.Parallel()
	s := fakeServer("asking")
	s.Settings = []byte(`{"fake":{"deep":{"key":[1]}}}`)
	s.InitializationOptions = []byte(`{"opt":1}`)
	p := newProject(t, oneFile, s)
	want := `0: [{"deep":{"key":[1]}},[1],null,{"fake":{"deep":{"key":[1]}}}]
-1: null
1.5: null
"1.5": null
"é\n": {"applied":false,"failureReason":"this client only applies edits that it asked for"}
9007199254740993: null
6: [{"uri":"file://DIR","name":"` + filepath.Base(p.dir) + `"}]
7: {"success":false}
8: null
9: {"code":-32601,"message":"this client has no fake/unknown"}
10: []`
	p.expect(hoverGreet, want)
	p.tool.Close()
	init := strings.Join(p.received("initialize"), "")
	for _, part := range []string{fmt.Sprintf(`"processId":%d,`, os.Getpid()), `"clientInfo":{"name":"mm","version":"test"}`, `"rootUri":"file://DIR"`, `"initializationOptions":{"opt":1}`, `"workDoneProgress":true`, `"utf-16"`} {
		if !strings.Contains(init, part) {
			t.Errorf("initialize lacks %s: %s", part, init)
		}
	}
	if got := p.received("workspace/didChangeConfiguration"); len(got) != 1 || got[0] != `{"settings":{"fake":{"deep":{"key":[1]}}}}` {
		t.Errorf("settings: %q", got)
	}
	if got := append(p.received("shutdown"), p.received("exit")...); len(got) != 2 {
		t.Errorf("%d of shutdown and exit came", len(got))
	}
}

// TestOddMessages: nothing that a server prints or sends ends the conversation.
func TestOddMessages(t *testing.T) {
	t.Parallel()
	newFake(t, "noisy", oneFile).expect(hoverGreet, "**greet**")

	p := newFake(t, "odd", "-- a.txt --\ngreet\n")
	p.expect(hoverGreet, "[lsp: no hover found for the symbol at a.txt:1:1]")
	p.expect(hoverGreet, "[lsp: fake: hover failed: \"it broke\"]")
	p.expect(hoverGreet, "[lsp: fake: hover failed: its answer isn't one to textDocument/hover]")
	p.expect(hoverGreet, "```c\nint x\n```")
	if n := len(p.received("initialize")); n != 1 {
		t.Errorf("it was started %d times", n)
	}
}

// TestServersThatFail: what becomes of a server is said, with its own last words.
func TestServersThatFail(t *testing.T) {
	t.Parallel()
	const failed = "[lsp: fake: hover failed: "
	for mode, want := range map[string]string{
		"crash":    failed + "the server ended: exit status 3: panic: no such luck]",
		"broken":   failed + "the server ended: exit status 1: Error: Cannot find module 'typescript']",
		"refusing": failed + "Could not find a valid TypeScript installation.]",
		"utf-8":    failed + "it counts columns in utf-8, which this client didn't offer]",
		"huge":     failed + "the server ended: it sent a message of 65 MiB, the limit is 64 MiB]",
		"silent":   failed + "no answer within 3s]",
		"mute":     failed + "no answer to initialize within 4s]",
		"deaf":     failed + "no answer within 3s]",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := newFake(t, mode, oneFile)
			p.write("a.txt", "greet\n"+strings.Repeat("more than a pipe takes\n", 1<<17)) // for the deaf one
			lsp.SetLimits(p.tool, 4*time.Second, time.Second, 3*time.Second, time.Minute)
			p.expect(hoverGreet, want)
			if mode == "silent" {
				p.expect(defineGreet, "a.txt:2:18 more than a pipe takes")
				if got := p.received("$/cancelRequest"); len(got) == 0 || got[len(got)-1] != `{"id":3}` {
					t.Errorf("cancelled: %q", got)
				}
			}
		})
	}
}

// TestSignsOfLife: a server that takes its time doesn't end the turn.
func TestSignsOfLife(t *testing.T) {
	t.Parallel()
	p := newFake(t, "silent", oneFile)
	lsp.SetLimits(p.tool, time.Minute, time.Second, 2500*time.Millisecond, time.Minute)
	h := &host{}
	p.prepare(hoverGreet).Run(t.Context(), h)
	if n := h.alive.Load(); n < 1 {
		t.Errorf("%d signs of life", n)
	}
}

// TestServerGoneFromThePath: a server that was there at the start and is gone is a failure like others.
func TestServerGoneFromThePath(t *testing.T) {
	t.Parallel()
	p := &project{t: t, dir: t.TempDir()}
	p.write("a.txt", "greet\n")
	p.write("server", "#!/bin/sh\n")
	chmod(t, p.path("server"))
	s := fakeServer("")
	s.Command = p.path("server")
	p.start(s)
	if err := os.Remove(p.path("server")); err != nil {
		t.Fatal(err)
	}
	p.expect(hoverGreet, "[lsp: fake: hover failed: DIR/server not found on the PATH]")
}

// TestADeadServerIsStartedAgain: a call that finds the server dying is made again, once.
func TestADeadServerIsStartedAgain(t *testing.T) {
	t.Parallel()
	p := newFake(t, "crash-once", oneFile)
	p.expect(hoverGreet, "**greet**")
	p.expect(hoverGreet, "**greet**")
	if n := len(p.received("initialize")); n != 2 {
		t.Errorf("it was started %d times, want 2", n)
	}
	p = newFake(t, "crash", oneFile)
	p.expect(defineGreet, "a.txt:2:17 /* 𝒳é */ second greet 𝒳")
	p.expect(hoverGreet, "[lsp: fake: hover failed: the server ended: exit status 3: panic: no such luck]")
	p.expect(defineGreet, "a.txt:2:17 /* 𝒳é */ second greet 𝒳")
	if n := len(p.received("initialize")); n != 3 {
		t.Errorf("it was started %d times, want 3", n)
	}
}

// TestIndexing: a server that reports that it is at work is waited for.
func TestIndexing(t *testing.T) {
	t.Parallel()
	newFake(t, "indexing", oneFile).expect(defineGreet, "a.txt:2:17 /* 𝒳é */ second greet 𝒳")
	newFake(t, "late", oneFile).expect(defineGreet, "a.txt:2:17 /* 𝒳é */ second greet 𝒳")
	newFake(t, "busy", oneFile).expect(hoverGreet, "**greet**")
}

// TestEndlessWork: a server that doesn't get ready is waited for once, and its answers say so.
func TestEndlessWork(t *testing.T) {
	t.Parallel()
	p := newFake(t, "endless", oneFile+"-- answers/rename --\n"+`{"changes":{"DIR/a.txt":[`+greetAt("6-11")+`]}}`)
	lsp.SetLimits(p.tool, time.Minute, time.Second, time.Minute, time.Minute)
	const note = "\n(fake is still at work: Indexing — there may be more)"
	p.expect(defineGreet, "a.txt:2:17 /* 𝒳é */ second greet 𝒳"+note)
	start := time.Now()
	p.expect(hoverGreet, "**greet**")
	p.expect(renameGreet, "renamed to hello: 1 edit(s) in 1 file(s)\na.txt: 1 edit(s)"+note)
	if d := time.Since(start); d > 8*time.Second {
		t.Errorf("the later calls took %s", d)
	}
}

// TestComplaints: a server that finds nothing may have said why.
func TestComplaints(t *testing.T) {
	t.Parallel()
	newFake(t, "complaining", "-- a.txt --\n\n\tgreet\n").expect(defineGreet,
		"[lsp: no definition found for the symbol at a.txt:2:2]\nfake says: go: command not found")
}

// TestNothingFound: the texts of a server that knows nothing.
func TestNothingFound(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", "-- main.txt --\n\n\n\n\n   greet\n")
	p.expect(`"action": "definition", "path": "main.txt", "symbol": "greet"`, "[lsp: no definition found for the symbol at main.txt:5:4]")
	p.expect(`"action": "references", "path": "main.txt", "line": 5, "column": 4`, "[lsp: no references found for the symbol at main.txt:5:4]")
	p.expect(`"action": "hover", "path": "main.txt", "symbol": "greet"`, "[lsp: no hover found for the symbol at main.txt:5:4]")
	p.expect(`"action": "symbols", "path": "main.txt"`, "[lsp: no symbols found in main.txt]")
}

// TestPlaces: places of all kinds, sorted, each once.
func TestPlaces(t *testing.T) {
	t.Parallel()
	outside := &project{t: t, dir: t.TempDir()}
	outside.write("o.txt", "outside\n")
	long := strings.Repeat("é", 201)
	at := func(uri string, line, from int) string {
		return fmt.Sprintf(`{"uri":%q,"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}}`, uri, line, from, line, from+1)
	}
	p := newFake(t, "", "-- a.txt --\n\t𝒳 greet\n"+long+"\n-- sub/b.txt --\nb\n")
	p.write("answers/references", "["+strings.Join([]string{
		at("DIR/sub/b.txt", 0, 0), at("DIR/a.txt", 1, 7), at("DIR/a.txt", 0, 4), at("file://"+outside.path("o.txt"), 0, 3),
		at("DIR/a.txt", 0, 4), at("DIR/gone.txt", 6, 2), at("jar:x!y", 2, 2), at("DIR/a.txt", 0, 1),
	}, ",")+"]")
	want := "7 reference(s):\n" + outside.path("o.txt") + ":1:4 outside\n" +
		"a.txt:1:2 𝒳 greet\na.txt:1:4 𝒳 greet\na.txt:2:8 " + long[:400] + "…\ngone.txt:7:3\njar:x!y:3:3\nsub/b.txt:1:1 b"
	p.expect(`"action": "references", "path": "a.txt", "symbol": "greet"`, want)
	p.write("answers/definition", `[{"targetUri":"DIR/sub/b.txt","targetRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"targetSelectionRange":{"start":{"line":0,"character":1},"end":{"line":0,"character":1}}}]`)
	p.expect(`"action": "definition", "path": "a.txt", "symbol": "greet"`, "sub/b.txt:1:2 b")
	if got := p.received("textDocument/references"); len(got) != 1 || got[0] != `{"textDocument":{"uri":"file://DIR/a.txt"},"position":{"line":0,"character":4},"context":{"includeDeclaration":true}}` {
		t.Errorf("asked: %q", got)
	}
}

// TestSymbols: nested symbols, and flat ones of older servers.
func TestSymbols(t *testing.T) {
	t.Parallel()
	at := func(line int) string {
		return fmt.Sprintf(`{"start":{"line":%d,"character":0},"end":{"line":%d,"character":1}}`, line, line)
	}
	p := newFake(t, "", "-- a.txt --\nx\n")
	p.write("answers/documentSymbol", `[{"name":"T","kind":23,"detail":"struct {\n  a int\n}","range":`+at(0)+`,"selectionRange":`+at(3)+`,"children":[
		{"name":"a","kind":8,"detail":"","range":`+at(4)+`,"selectionRange":`+at(4)+`,"children":[{"name":"deep","kind":99,"range":`+at(5)+`,"selectionRange":`+at(5)+`}]}]},
		{"name":"f","kind":12,"containerName":"x","location":{"uri":"DIR/a.txt","range":`+at(9)+`}},{"name":"p","kind":26,"location":{"uri":"DIR/a.txt","range":`+at(10)+`}}]`)
	p.expect(`"action": "symbols", "path": "a.txt"`, "struct T [struct { a int }] line 4\n  field a line 5\n    symbol deep line 6\nfunction f [x] line 10\ntype parameter p line 11")
}

// TestUnsupported: what a server doesn't offer isn't asked for, unless it offers it later.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	p := newFake(t, "registering", oneFile+"-- answers/capabilities --\n{\"renameProvider\": false, \"definitionProvider\": null}\n")
	p.expect(defineGreet, "[lsp: fake: definition failed: the server doesn't support it]")
	p.expect(`"action": "rename", "path": "a.txt", "symbol": "greet", "new_name": "x"`, "[lsp: fake: rename failed: the server doesn't support it]")
	p.expect(hoverGreet, "**greet**")
}

// TestCancel: a call that is cancelled returns at once, and the server is told.
func TestCancel(t *testing.T) {
	t.Parallel()
	p := newFake(t, "silent", oneFile)
	p.expect(defineGreet, "a.txt:2:17 /* 𝒳é */ second greet 𝒳")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		p.await("textDocument/hover")
		cancel()
	}()
	if got := p.callContext(ctx, hoverGreet); got != "[lsp: cancelled]" {
		t.Error(got)
	}
	p.expect(defineGreet, "a.txt:2:17 /* 𝒳é */ second greet 𝒳")
	if got := p.received("$/cancelRequest"); len(got) != 1 {
		t.Errorf("cancelled: %q", got)
	}
}

// TestCloseDuringACall: the call ends, and so does the server.
func TestCloseDuringACall(t *testing.T) {
	t.Parallel()
	p := newFake(t, "silent", oneFile)
	done := make(chan string)
	go func() { done <- p.call(hoverGreet) }()
	p.await("textDocument/hover")
	p.tool.Close()
	if got, want := <-done, "[lsp: fake: hover failed: mm is ending]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAStubbornServerIsKilled: one that ignores shutdown, exit, the end of its input and SIGTERM.
func TestAStubbornServerIsKilled(t *testing.T) {
	t.Parallel()
	p := newFake(t, "stubborn", oneFile)
	p.expect(hoverGreet, "**greet**")
	pid := p.tool.Pids()[0]
	start := time.Now()
	p.tool.Close()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("closing took %s", d)
	}
	if running(pid) {
		t.Error("it is still there")
	}
}

// TestCallsAtTheSameTime: from several goroutines, in two projects; each has its server once.
func TestCallsAtTheSameTime(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", oneFile)
	q := &project{t: t, dir: t.TempDir(), tool: p.tool}
	q.write("a.txt", "greet\n")
	q.write("answers/hover", `{"contents": ["other", "", {"language": "x", "value": "y"}]}`)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { p.expect(hoverGreet, "**greet**") })
		all.Go(func() { q.expect(hoverGreet, "other\n\n```x\ny\n```") })
	}
	all.Wait()
	if n, m := len(p.received("initialize")), len(q.received("initialize")); n != 1 || m != 1 {
		t.Errorf("they were started %d and %d times", n, m)
	}
}

// TestSynchronisation: what the server is told of files.
func TestSynchronisation(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", oneFile+"-- b.txt --\ngreet\n-- node_modules/c.txt --\n\n-- go.mod --\n")
	p.call(hoverGreet)
	p.call(hoverGreet)
	p.call(strings.ReplaceAll(hoverGreet, "a.txt", "b.txt"))
	if got := p.received("textDocument/didOpen"); len(got) != 2 || got[1] != `{"textDocument":{"uri":"file://DIR/b.txt","languageId":"txt","version":1,"text":"greet\n"}}` {
		t.Errorf("didOpen: %q", got)
	}
	if got := append(p.received("textDocument/didChange"), p.received("workspace/didChangeWatchedFiles")...); len(got) > 0 {
		t.Errorf("nothing had changed: %q", got)
	}
	p.write("a.txt", "another greet\n")
	p.write("node_modules/c.txt", "not watched")
	p.write("new.txt", "x")
	p.write("go.mod", "module x\n")
	if err := os.Remove(p.path("b.txt")); err != nil {
		t.Fatal(err)
	}
	p.call(hoverGreet)
	if got := p.received("textDocument/didChange"); len(got) != 1 || got[0] != `{"contentChanges":[{"text":"another greet\n"}],"textDocument":{"uri":"file://DIR/a.txt","version":2}}` {
		t.Errorf("didChange: %q", got)
	}
	if got := p.received("textDocument/didClose"); len(got) != 1 || got[0] != `{"textDocument":{"uri":"file://DIR/b.txt"}}` {
		t.Errorf("didClose: %q", got)
	}
	want := `{"changes":[{"uri":"file://DIR/a.txt","type":2},{"uri":"file://DIR/b.txt","type":3},{"uri":"file://DIR/go.mod","type":2},{"uri":"file://DIR/new.txt","type":1}]}`
	if got := p.received("workspace/didChangeWatchedFiles"); len(got) != 1 || got[0] != want {
		t.Errorf("watched files: %q", got)
	}
}

// TestManyDocuments: not all that were ever asked about stay open.
func TestManyDocuments(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", oneFile)
	for i := range 102 {
		name := fmt.Sprintf("f%03d.txt", i)
		p.write(name, "x\n")
		p.call(`"action": "symbols", "path": "` + name + `"`)
	}
	want := []string{`{"textDocument":{"uri":"file://DIR/f000.txt"}}`, `{"textDocument":{"uri":"file://DIR/f001.txt"}}`}
	if got := p.received("textDocument/didClose"); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("closed: %q", got)
	}
}

// TestLongAnswers are cut at maxOutput.
func TestLongAnswers(t *testing.T) {
	t.Parallel()
	p := &project{t: t, dir: t.TempDir()}
	p.write("a.txt", "greet\n")
	p.write("answers/hover", `{"contents": "éééééééééé"}`)
	tool, _ := lsp.New(lsp.Options{Servers: []lsp.Server{fakeServer("")}, MaxOutput: 4})
	defer tool.Close()
	p.tool = tool
	p.expect(hoverGreet, "éééé\n[... 6 more characters]")
}

var _ tools.Tool = (*lsp.Tool)(nil)
