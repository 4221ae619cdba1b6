package mcp_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools/mcp"
)

// npmServer finds one of the servers of the protocol's authors: in the npm project at
// MM_MCP_SERVERS, or on the PATH.
func npmServer(t *testing.T, name string, args ...string) mcp.Server {
	t.Helper()
	program := "mcp-server-" + name
	if dir := os.Getenv("MM_MCP_SERVERS"); dir != "" {
		path := filepath.Join(dir, "node_modules", ".bin", program)
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("MM_MCP_SERVERS is set, and %v", err)
		}
		return mcp.Server{Name: name, Command: path, Args: args}
	}
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s isn't on the PATH and MM_MCP_SERVERS names no npm project with @modelcontextprotocol/server-%s", program, name)
	}
	return mcp.Server{Name: name, Command: path, Args: args}
}

// shorten takes what varies from one start to the next out of a text.
func shorten(s string) string {
	return regexp.MustCompile(`created at .*`).ReplaceAllString(s, "created at …")
}

func TestRealMemory(t *testing.T) {
	s := npmServer(t, "memory")
	file := filepath.Join(t.TempDir(), "memory.jsonl")
	s.Env = map[string]string{"MEMORY_FILE_PATH": file}
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s}})
	names := []string{"memory_add_observations", "memory_create_entities", "memory_create_relations", "memory_delete_entities", "memory_delete_observations",
		"memory_delete_relations", "memory_open_nodes", "memory_read_graph", "memory_search_nodes"}
	if d := cmp.Diff(names, b.names()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	const schema = `{"type":"object","properties":{"entities":{"type":"array","items":{"type":"object","properties":{` +
		`"name":{"type":"string","description":"The name of the entity"},"entityType":{"type":"string","description":"The type of the entity"},` +
		`"observations":{"type":"array","description":"An array of observation contents associated with the entity","items":{"type":"string"}}},` +
		`"required":["name","entityType","observations"]}}},"required":["entities"]}`
	if got := string(b.tool("memory_create_entities").Spec().Parameters); got != schema {
		t.Errorf("%s\nwant %s", got, schema)
	}
	want(t, b.call("memory_create_entities", `{"entities":[{"name":"mm"}]}`), true,
		`[memory_create_entities: the arguments don't fit: at /entities/items: required: missing properties: ["entityType" "observations"]]`)
	if r := b.call("memory_create_entities", `{"entities":[{"name":"mm","entityType":"program","observations":["written in Go"]}]}`); r.Failed {
		t.Errorf("%+v", r)
	}
	if r := b.call("memory_search_nodes", `{"query":"Go"}`); r.Failed || !strings.Contains(r.Text, "written in Go") {
		t.Errorf("%+v", r)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "written in Go") {
		t.Errorf("%q %v", data, err)
	}
}

func TestRealFilesystem(t *testing.T) {
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	note := filepath.Join(dir, "note.txt")
	s := npmServer(t, "filesystem", dir)
	s.Ask, s.Tools = true, []string{"write_file", "read_text_file", "read_media_file", "list_directory"}
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s}})
	if got := b.names(); len(got) != 4 || got[3] != "filesystem_write_file" {
		t.Fatalf("%q", got)
	}
	args := func(more string) string { return `{"path":` + strconv.Quote(note) + more + `}` }
	if p := b.plan("filesystem_write_file", args(`,"content":"one\ntwo\n"`)); p.Asks != consent.Always {
		t.Errorf("%+v", p)
	}
	want(t, b.call("filesystem_write_file", args(`,"content":"one\ntwo\n"`)), false, "Successfully wrote to "+note)
	want(t, b.call("filesystem_read_text_file", args(`,"head":1`)), false, "one")
	r := b.call("filesystem_read_text_file", `{"path":"/etc/passwd"}`)
	if !r.Failed || !strings.Contains(r.Text, "Access denied") {
		t.Errorf("%+v", r)
	}
	r = b.call("filesystem_list_directory", `{"path":`+strconv.Quote(dir)+`}`)
	want(t, r, false, "[FILE] note.txt")
}

func TestRealEverything(t *testing.T) {
	b := newBench(t, mcp.Options{Servers: []mcp.Server{npmServer(t, "everything")}, Silence: time.Minute})
	for _, c := range []struct{ tool, args, want string }{
		{"echo", `{"message":"hi"}`, "Echo: hi"},
		{"get-sum", `{"a":2,"b":40}`, "The sum of 2 and 40 is 42."},
		{"get-tiny-image", `{}`, "Here's the image you requested:\n[image: image/png, 20×20, 4033 bytes, which can't be shown as text]\nThe image above is the MCP logo."},
		{"get-structured-content", `{"location":"Chicago"}`, `{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}`},
		{"get-resource-reference", `{"resourceType":"Blob"}`, "Returning resource reference for Resource 1:\n[resource demo://resource/dynamic/blob/1]\nResource 1: This is a base64 blob created at …\nYou can access this resource using the URI: demo://resource/dynamic/blob/1"},
		{"get-resource-links", `{"count":2}`, "Here are 2 resource links to resources available in this server:\n" +
			"[resource demo://resource/dynamic/blob/1 — Blob Resource 1, text/plain] Resource 1: plaintext resource\n" +
			"[resource demo://resource/dynamic/text/2 — Text Resource 2, text/plain] Resource 2: plaintext resource\n\n" +
			"[resource demo://resource/dynamic/blob/1]\nResource 1: This is a base64 blob created at …\n\n" +
			"[resource demo://resource/dynamic/text/2]\nResource 2: This is a plaintext resource created at …"},
		{"trigger-long-running-operation", `{"duration":1,"steps":4}`, "Long running operation completed. Duration: 1 seconds, Steps: 4."},
	} {
		r := b.call("everything_"+c.tool, c.args)
		r.Text = shorten(r.Text)
		want(t, r, false, c.want)
	}
	if n := b.host.alive.Load(); n < 3 { // the last one may come together with the answer
		t.Errorf("%d signs of life from 4 steps", n)
	}
	if w := b.servers.Warnings(); len(w) != 1 || !strings.Contains(w[0], "simulate-research-query can only be called as a task") {
		t.Errorf("%q", w)
	}
}

// The server declares this tool only after it has seen that its client can ask, and says so.
func TestRealElicitation(t *testing.T) {
	b := newBench(t, mcp.Options{Servers: []mcp.Server{npmServer(t, "everything")}, Silence: time.Minute})
	b.host.reply = func(_ context.Context, f ui.Form) ui.FormReply {
		r := ui.FormReply{State: ui.Replied}
		for _, q := range f.Questions {
			r.Answers = append(r.Answers, []string{answerTo(q)})
		}
		return r
	}
	eventually(t, func() string {
		if got := b.names(); !slices.Contains(got, "everything_trigger-elicitation-request") {
			return strings.Join(got, " ")
		}
		return ""
	})
	r := b.call("everything_trigger-elicitation-request", `{}`)
	if r.Failed || !strings.Contains(r.Text, "User provided the requested information") || !strings.Contains(r.Text, "Ada") {
		t.Errorf("%+v", r)
	}
	if len(b.host.forms) != 1 {
		t.Errorf("%+v", b.host.forms)
	}
}

// answerTo answers the questions of the server's form.
func answerTo(q ui.Question) string {
	switch {
	case q.Type == ui.Confirm:
		return ui.Yes
	case len(q.Options) > 0:
		return q.Options[0]
	case q.Default != "":
		return q.Default
	case strings.Contains(q.Text, "optional"):
		return "-"
	}
	return "Ada"
}
