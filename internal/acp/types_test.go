package acp_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

func ptr[T any](v T) *T { return &v }

var meta = acp.MetaOf("mm", map[string]string{"tool": "bash"})

// full are messages with all that they can hold, and empty ones, by the schema's type.
var full = []struct {
	name string
	v    any
}{
	{"InitializeRequest", acp.InitializeRequest{ProtocolVersion: 1}},
	{"InitializeRequest", acp.InitializeRequest{ProtocolVersion: 1, ClientInfo: &acp.Implementation{Name: "n", Title: "t", Version: "1"}, Meta: meta, ClientCapabilities: acp.ClientCapabilities{
		FS: acp.FSCapabilities{ReadTextFile: true, WriteTextFile: true}, Terminal: true, Auth: acp.ClientAuthCapabilities{Terminal: true},
		Session:     &acp.ClientSessionCapabilities{Compaction: &acp.Capability{}, Notices: &acp.Capability{}, ConfigOptions: &acp.ConfigOptionCapabilities{Boolean: &acp.Capability{}}},
		Elicitation: &acp.ElicitationCapabilities{Form: &acp.Capability{}, URL: &acp.Capability{}}, Subagents: &acp.Capability{}, Plan: &acp.Capability{}}}},
	{"InitializeResponse", acp.InitializeResponse{ProtocolVersion: 1, AgentInfo: &acp.Implementation{Name: "n", Version: "1"},
		AuthMethods: []acp.AuthMethod{{ID: "a", Name: "n"}, {Type: "terminal", ID: "b", Name: "n", Args: []string{"login"}, Env: map[string]string{"A": "b"}}},
		AgentCapabilities: acp.AgentCapabilities{LoadSession: true, PromptCapabilities: acp.PromptCapabilities{Image: true, EmbeddedContext: true}, MCPCapabilities: acp.MCPCapabilities{HTTP: true},
			SessionCapabilities: acp.SessionCapabilities{List: &acp.Capability{}, Delete: &acp.Capability{}, AdditionalDirectories: &acp.Capability{}, Resume: &acp.Capability{}, Close: &acp.Capability{}},
			Auth:                acp.AgentAuthCapabilities{Logout: &acp.Capability{}}}}},
	{"AuthenticateRequest", acp.AuthenticateRequest{MethodID: "a"}},
	{"AuthenticateResponse", acp.Empty{}},
	{"NewSessionRequest", acp.NewSessionRequest{Cwd: "/"}},
	{"NewSessionRequest", acp.NewSessionRequest{Cwd: "/", AdditionalDirectories: []string{"/b"}, MCPServers: acp.MCPServers{
		{Name: "a", Command: "/a"}, {Name: "a", Command: "/a", Args: []string{"x"}, Env: []acp.NameValue{{Name: "A", Value: ""}}},
		{Type: acp.MCPHTTP, Name: "h", URL: "http://h"}, {Type: acp.MCPSSE, Name: "h", URL: "http://h", Headers: []acp.NameValue{{Name: "A", Value: "b"}}, Meta: meta}}}},
	{"NewSessionResponse", acp.NewSessionResponse{SessionID: "s", Modes: &acp.Modes{CurrentModeID: "ask", AvailableModes: []acp.Mode{{ID: "ask", Name: "Ask", Description: "d"}}}, ConfigOptions: options}},
	{"NewSessionResponse", acp.NewSessionResponse{SessionID: "s", Modes: &acp.Modes{CurrentModeID: "ask"}}},
	{"LoadSessionRequest", acp.LoadSessionRequest{SessionID: "s", Cwd: "/"}},
	{"LoadSessionResponse", acp.LoadSessionResponse{ConfigOptions: options}},
	{"ResumeSessionRequest", acp.LoadSessionRequest{SessionID: "s", Cwd: "/"}},
	{"ListSessionsRequest", acp.ListSessionsRequest{Cwd: "/", Cursor: "c"}},
	{"ListSessionsResponse", acp.ListSessionsResponse{}},
	{"ListSessionsResponse", acp.ListSessionsResponse{Sessions: []acp.SessionInfo{{SessionID: "s", Cwd: "/", Title: "t", UpdatedAt: "2026-01-02T03:04:05Z", AdditionalDirectories: []string{"/b"}}}, NextCursor: "c"}},
	{"CloseSessionRequest", acp.SessionRequest{SessionID: "s"}},
	{"PromptRequest", acp.PromptRequest{SessionID: "s", Prompt: blocks}},
	{"PromptResponse", acp.PromptResponse{StopReason: acp.StopMaxTurnRequests}},
	{"CancelNotification", acp.SessionRequest{SessionID: "s"}},
	{"CancelRequestNotification", acp.CancelRequestParams{RequestID: 0}},
	{"CancelRequestNotification", acp.CancelRequestParams{}},
	{"SetSessionModeRequest", acp.SetModeRequest{SessionID: "s", ModeID: "ask"}},
	{"SetSessionConfigOptionRequest", acp.SetConfigOptionRequest{SessionID: "s", ConfigID: "c", Value: "v"}},
	{"SetSessionConfigOptionRequest", acp.SetConfigOptionRequest{SessionID: "s", ConfigID: "c", Type: acp.OptionBoolean, On: true}},
	{"SetSessionConfigOptionResponse", acp.SetConfigOptionResponse{ConfigOptions: options}},
	{"SetSessionConfigOptionResponse", acp.SetConfigOptionResponse{}},
	{"RequestPermissionRequest", acp.RequestPermissionRequest{SessionID: "s", ToolCall: callUpdate, Options: []acp.PermissionOption{{OptionID: "1", Name: "n", Kind: acp.AllowOnce}}, Meta: meta}},
	{"RequestPermissionRequest", acp.RequestPermissionRequest{SessionID: "s", ToolCall: acp.ToolCallUpdate{ToolCallID: "c"}}},
	{"RequestPermissionResponse", acp.Selected("1")},
	{"RequestPermissionResponse", acp.PermissionCancelled()},
	{"CreateElicitationRequest", acp.ElicitRequest{Mode: acp.ElicitForm, Message: "m", SessionID: "s", ToolCallID: "c", RequestedSchema: form}},
	{"CreateElicitationRequest", acp.ElicitRequest{Mode: acp.ElicitURL, Message: "m", RequestID: json.RawMessage("0"), ElicitationID: "e", URL: "https://a"}},
	{"CreateElicitationResponse", acp.ElicitResponse{Action: acp.ElicitDecline}},
	{"CreateElicitationResponse", acp.ElicitResponse{Action: acp.ElicitAccept, Content: map[string]json.RawMessage{"a": json.RawMessage(`["x"]`)}}},
	{"CompleteElicitationNotification", acp.ElicitComplete{ElicitationID: "e"}},
	{"ReadTextFileRequest", acp.ReadTextFileRequest{SessionID: "s", Path: "/a", Line: ptr(1), Limit: ptr(2)}},
	{"ReadTextFileResponse", acp.ReadTextFileResponse{}},
	{"WriteTextFileRequest", acp.WriteTextFileRequest{SessionID: "s", Path: "/a"}},
	{"WriteTextFileResponse", acp.Empty{}},
	{"CreateTerminalRequest", acp.CreateTerminalRequest{SessionID: "s", Command: "c", Args: []string{"a"}, Env: []acp.NameValue{{Name: "a", Value: "b"}}, Cwd: "/", OutputByteLimit: ptr(uint64(1))}},
	{"CreateTerminalResponse", acp.CreateTerminalResponse{TerminalID: "t"}},
	{"TerminalOutputRequest", acp.TerminalRequest{SessionID: "s", TerminalID: "t"}},
	{"TerminalOutputResponse", acp.TerminalOutputResponse{ExitStatus: &acp.ExitStatus{ExitCode: ptr(0)}}},
	{"WaitForTerminalExitResponse", acp.ExitStatus{Signal: "TERM"}},
}

var options = []acp.ConfigOption{
	{Type: acp.OptionSelect, ID: "mode", Name: "Mode", Description: "d", Category: acp.CategoryMode, Value: "ask", Options: []acp.ConfigValue{{Value: "ask", Name: "Ask"}, {Value: "yolo", Name: "Yolo", Description: "d"}}},
	{Type: acp.OptionSelect, ID: "model", Name: "Model", Category: acp.CategoryModel, Value: "a", Options: []acp.ConfigValue{
		{Value: "a", Name: "A", Group: "g", GroupName: "G"}, {Value: "b", Name: "B", Group: "g", GroupName: "G"}, {Value: "c", Name: "C", Group: "h", GroupName: "H"}}},
	{Type: acp.OptionBoolean, ID: "b", Name: "B", On: true, Meta: meta},
	{Type: acp.OptionBoolean, ID: "b", Name: "B"},
}

var blocks = []acp.ContentBlock{
	acp.Text("hi"), acp.Text(""),
	{Type: acp.ContentImage, Data: "AA==", MimeType: "image/png", URI: "file:///a"},
	{Type: acp.ContentAudio, Data: "", MimeType: "audio/wav"},
	{Type: acp.ContentResourceLink, URI: "file:///a", Name: "a", Title: "t", Description: "d", MimeType: "text/plain", Size: ptr(int64(0))},
	{Type: acp.ContentResource, Resource: &acp.ResourceContents{URI: "file:///a", Text: ptr("")}},
	{Type: acp.ContentResource, Resource: &acp.ResourceContents{URI: "file:///a", Blob: ptr("AA=="), MimeType: "image/png"}, Annotations: &acp.Annotations{Audience: []string{"user"}, Priority: ptr(0.0)}, Meta: meta},
}

var callUpdate = acp.ToolCallUpdate{ToolCallID: "c", Title: "t", Name: "bash", Kind: acp.ToolExecute, Status: acp.ToolCompleted,
	Content:   []acp.ToolCallContent{acp.ToolText("x"), acp.DiffContent("/a", nil, ""), acp.DiffContent("/a", ptr("old"), "new"), {Type: acp.ToolTerminal, TerminalID: "t"}},
	Locations: []acp.ToolCallLocation{{Path: "/a", Line: 3}, {Path: "/b"}}, RawInput: json.RawMessage(`{"z":1,"a":"<&>"}`), RawOutput: json.RawMessage(`null`), Meta: meta}

var form = &acp.ElicitationSchema{Type: "object", Title: "t", Description: "d", Required: []string{"z"}, Properties: acp.Properties{
	{Key: "z", Type: "string", Title: "t", MinLength: ptr(1), MaxLength: ptr(2), Pattern: "a", Format: "uri", Default: json.RawMessage(`"d"`)},
	{Key: "a", Type: "string", OneOf: []acp.EnumOption{{Const: "a", Title: "A", Description: "d"}}},
	{Key: "m", Type: "number", Minimum: ptr(1.5), Maximum: ptr(2.0)},
	{Key: "b", Type: "boolean", Default: json.RawMessage("true")},
	{Key: "l", Type: "array", MinItems: ptr(1), MaxItems: ptr(2), Items: &acp.PropertyItems{Type: "string", Enum: []string{"a"}}},
	{Key: "k", Type: "array", Items: &acp.PropertyItems{AnyOf: []acp.EnumOption{{Const: "a", Title: "A"}}}},
}}

// updates are those of every kind.
var updates = []acp.Update{
	acp.TextChunk(acp.UpdateAgentMessage, "m", "hi"), acp.TextChunk(acp.UpdateAgentThought, "", ""),
	acp.Chunk{Kind: acp.UpdateUserMessage, MessageID: "m", Content: blocks[6], Meta: meta},
	acp.ToolCall{ToolCallID: "c"}, acp.ToolCall(callUpdate),
	acp.ToolCallUpdate{ToolCallID: "c"}, callUpdate, acp.ToolCallUpdate{ToolCallID: "c", Content: []acp.ToolCallContent{}},
	acp.Plan{}, acp.Plan{Entries: []acp.PlanEntry{{Content: "c", Priority: "high", Status: "pending"}}},
	acp.AvailableCommands{}, acp.AvailableCommands{Commands: []acp.AvailableCommand{{Name: "n", Description: "d", Input: &acp.CommandInput{Hint: "h"}}}},
	acp.CurrentMode{CurrentModeID: "ask"}, acp.ConfigOptions{ConfigOptions: options},
	acp.SessionInfoUpdate{}, acp.SessionInfoUpdate{Title: acp.To("t"), UpdatedAt: acp.Clear[string]()},
	acp.Usage{Used: 0, Size: 8192, Cost: &acp.Cost{Currency: "EUR"}},
	acp.Notice{Severity: "warning", Title: "t", Description: "d"},
	acp.Compaction{CompactionID: "c", Status: "completed", Summary: blocks[:1]}, acp.CompactionSummaryChunk{CompactionID: "c", Content: blocks[0]},
	acp.PlanUpdate{Plan: acp.PlanContent{Type: "items", PlanID: "p", Entries: []acp.PlanEntry{}}}, acp.PlanRemoved{PlanID: "p"},
	acp.SubagentUpdate{SessionID: "c", Title: acp.To("jan"), Capabilities: acp.To(acp.SubagentCapabilities{Cancel: &acp.Capability{}}), State: acp.To(acp.SubagentState{State: acp.StateIdle, StopReason: acp.StopEndTurn}), Cwd: acp.To("/")},
	acp.SubagentUpdate{SessionID: "c", Description: acp.Clear[string](), State: acp.To(acp.SubagentState{State: acp.StateRunning})},
	acp.SessionMessage{MessageID: "m", SenderSessionID: "s", Content: blocks[:1]}, acp.SessionMessageChunk{MessageID: "m", Content: blocks[0]},
}

// All that mm can write is right by the schema, and reads back as it was.
func TestMessagesFitTheSchema(t *testing.T) {
	s, err := acptest.LoadSchema()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(acptest.NoSchema)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range full {
		b, err := json.Marshal(m.v)
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if err := s.Check(m.name, b); err != nil {
			t.Errorf("%s: %v\n%s", m.name, err, b)
		}
		back := reflect.New(reflect.TypeOf(m.v))
		if err := json.Unmarshal(b, back.Interface()); err != nil {
			t.Errorf("%s: reading back: %v\n%s", m.name, err, b)
			continue
		}
		again, _ := json.Marshal(back.Interface())
		if diff := cmp.Diff(string(b), string(again)); diff != "" {
			t.Errorf("%s: written again (-want +got):\n%s", m.name, diff)
		}
	}
	for _, u := range updates {
		b, err := json.Marshal(acp.SessionNotification{SessionID: "s", Update: u, Meta: meta})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check("SessionNotification", b); err != nil {
			t.Errorf("%v\n%s", err, b)
		}
	}
}

// A relay passes updates on byte for byte, and reading one gives what was written.
func TestUpdatesPassThrough(t *testing.T) {
	for _, u := range updates {
		b, err := json.Marshal(acp.SessionNotification{SessionID: "child", Update: u})
		if err != nil {
			t.Fatal(err)
		}
		got, err := acp.ParseUpdate(b)
		if err != nil {
			t.Fatal(err)
		}
		if got.SessionID != "child" || got.Kind != u.UpdateKind() {
			t.Errorf("%s: read %q %q", b, got.SessionID, got.Kind)
		}
		again, err := json.Marshal(acp.SessionNotification{SessionID: "mine", Update: got})
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Replace(string(b), `"child"`, `"mine"`, 1); want != string(again) {
			t.Errorf("passed on\n%s\nas\n%s", b, again)
		}
		back := reflect.New(reflect.TypeOf(u))
		if err := got.Decode(back.Interface().(acp.Update)); err != nil {
			t.Errorf("%s: %v", b, err)
		}
		if got.IsChunk() {
			c, err := got.Chunk()
			if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(u, acp.Update(c)); diff != "" {
				t.Errorf("chunk (-want +got):\n%s", diff)
			}
		}
	}
}

// What the schema lets be wrong counts as absent, what causes actions is refused with its place.
func TestReadingOddParams(t *testing.T) {
	for _, c := range []struct {
		v       any
		in      string
		want    string // the error, or
		written string // what is read, written again
	}{
		{&acp.InitializeRequest{}, `{"protocolVersion":"2024-11-05"}`, "protocolVersion: expected a whole number, found a string", ""},
		{&acp.InitializeRequest{}, `{"protocolVersion":1.5}`, "protocolVersion: expected a whole number, found a number", ""},
		{&acp.InitializeRequest{}, `{}`, "protocolVersion: is missing", ""},
		{&acp.InitializeRequest{}, ``, "protocolVersion: is missing", ""},
		{&acp.InitializeRequest{}, `[1]`, "expected an object, found a list", ""},
		{&acp.InitializeRequest{}, `{"protocolVersion":65535,"clientInfo":7,"clientCapabilities":{"fs":"yes","terminal":true,"elicitation":{"form":true,"url":{}},"session":{"notices":1}},"_meta":3}`,
			"", `{"protocolVersion":65535,"clientCapabilities":{"terminal":true,"session":{},"elicitation":{"url":{}}}}`},
		{&acp.InitializeRequest{}, `{"protocolVersion":1,"clientCapabilities":null,"_meta":null}`, "", `{"protocolVersion":1}`},
		{&acp.NewSessionRequest{}, `{"cwd":"/"}`, "", `{"cwd":"/","mcpServers":[]}`},
		{&acp.NewSessionRequest{}, `{"cwd":"/","mcpServers":null,"additionalDirectories":null}`, "", `{"cwd":"/","mcpServers":[]}`},
		{&acp.NewSessionRequest{}, `{"cwd":"/","mcpServers":{}}`, "mcpServers: expected a list, found an object", ""},
		{&acp.NewSessionRequest{}, `{"cwd":"/","mcpServers":[{"name":"a","command":"/a","args":[],"env":[]},{"name":"a","command":"/a","args":"x"}]}`, "mcpServers[1].args: expected a list, found a string", ""},
		{&acp.NewSessionRequest{}, `{"cwd":"/","mcpServers":[{"name":"a"}]}`, "mcpServers[0].command: is missing", ""},
		{&acp.NewSessionRequest{}, `{"cwd":"/","mcpServers":[{"name":"a","command":"/a","env":[{"name":"A"}]}]}`, "mcpServers[0].env[0].value: is missing", ""},
		{&acp.NewSessionRequest{}, `{"cwd":"/","mcpServers":[{"type":"http","name":"a"}]}`, "mcpServers[0].url: is missing", ""},
		{&acp.NewSessionRequest{}, `{"cwd":"/","mcpServers":[{"type":"ws","name":"a","url":"u"}]}`, "mcpServers[0].type: unknown server type ws", ""},
		{&acp.NewSessionRequest{}, `{"cwd":"/","mcpServers":[null]}`, "mcpServers[0]: expected an object, found null", ""},
		{&acp.NewSessionRequest{}, `{"cwd":"/","additionalDirectories":[1]}`, "additionalDirectories[0]: expected a string, found a number", ""},
		{&acp.NewSessionRequest{}, `{"cwd":1}`, "cwd: expected a string, found a number", ""},
		{&acp.PromptRequest{}, `{"sessionId":"s"}`, "prompt: is missing", ""},
		{&acp.PromptRequest{}, `{"prompt":[]}`, "sessionId: is missing", ""},
		{&acp.PromptRequest{}, `{"sessionId":"s","prompt":[{"type":"text"}]}`, "prompt[0].text: is missing", ""},
		{&acp.PromptRequest{}, `{"sessionId":"s","prompt":[{"type":"text","text":5}]}`, "prompt[0].text: expected a string, found a number", ""},
		{&acp.PromptRequest{}, `{"sessionId":"s","prompt":[{"type":"image","data":"","mimeType":5}]}`, "prompt[0].mimeType: expected a string, found a number", ""},
		{&acp.PromptRequest{}, `{"sessionId":"s","prompt":[{"type":"video"}]}`, "prompt[0].type: unknown type of content video", ""},
		{&acp.PromptRequest{}, `{"sessionId":"s","prompt":[{"type":"resource","resource":{"uri":"u"}}]}`, "prompt[0].resource.text: is missing", ""},
		{&acp.PromptRequest{}, `{"sessionId":"s","prompt":["hi"]}`, "prompt[0]: expected an object, found a string", ""},
		{&acp.PromptRequest{}, `{"sessionId":"s","prompt":[{"type":"text","text":"a","annotations":{"audience":["user",3],"priority":"x"}}]}`, "", `{"sessionId":"s","prompt":[{"type":"text","text":"a","annotations":{"audience":["user"]}}]}`},
		{&acp.SetConfigOptionRequest{}, `{"sessionId":"s","configId":"c","value":true}`, "value: expected a string, found a boolean", ""},
		{&acp.SetConfigOptionRequest{}, `{"sessionId":"s","configId":"c","type":"boolean","value":"x"}`, "value: expected true or false, found a string", ""},
		{&acp.SetConfigOptionRequest{}, `{"sessionId":"s","configId":"c"}`, "value: is missing", ""},
		{&acp.ListSessionsRequest{}, `{"cursor":3}`, "cursor: expected a string, found a number", ""},
		{&acp.ToolCall{}, `{"toolCallId":"c","title":"t","kind":"dance","status":"cancelled","content":[{"type":"text","text":"bare"},{"type":"content","content":{"type":"text","text":"x"}}],"locations":[{"line":1},{"path":"/a","line":"x"}]}`,
			"", `{"toolCallId":"c","title":"t","content":[{"type":"content","content":{"type":"text","text":"x"}}],"locations":[{"path":"/a"}]}`},
		{&acp.ToolCallUpdate{}, `{"title":"t"}`, "toolCallId: is missing", ""},
		{&acp.RequestPermissionRequest{}, `{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"a","name":"A","kind":"allow_persistent"},{"name":"no id"},7]}`,
			"", `{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"a","name":"A","kind":"allow_persistent"}]}`},
		{&acp.RequestPermissionRequest{}, `{"sessionId":"s","options":[]}`, "toolCall: is missing", ""},
		{&acp.NewSessionResponse{}, `{"sessionId":"s","modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b"}]},"configOptions":[{"type":"slider","id":"x","name":"X","currentValue":1},{"type":"select","id":"m","name":"M","currentValue":"a","options":[]}]}`,
			"", `{"sessionId":"s","modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"}]},"configOptions":[{"type":"select","id":"m","name":"M","currentValue":"a","options":[]}]}`},
	} {
		err := acp.DecodeParams(json.RawMessage(c.in), c.v)
		if c.want != "" {
			if err == nil || acp.ErrorCode(err) != acp.CodeInvalidParams || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%T %s: %v, want -32602 %s", c.v, c.in, err, c.want)
			}
			continue
		}
		got, _ := json.Marshal(c.v)
		if err != nil || string(got) != c.written {
			t.Errorf("%T %s:\n%v\ngot  %s\nwant %s", c.v, c.in, err, got, c.written)
		}
	}
}

func TestParseUpdateRefuses(t *testing.T) {
	for _, in := range []string{``, `null`, `[]`, `{}`, `{"sessionId":"s"}`, `{"sessionId":"s","update":[]}`, `{"sessionId":5,"update":{"sessionUpdate":"x"}}`, `{"sessionId":"s","update":{"kind":"x"}}`} {
		if _, err := acp.ParseUpdate(json.RawMessage(in)); acp.ErrorCode(err) != acp.CodeInvalidParams {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestSetField(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,"sessionId":"x", "b" : [1.50,"é\u0000"]}`: `{"a":1,"sessionId":"<n>", "b" : [1.50,"é\u0000"]}`,
		`{"sessionId":"x","sessionId":"y"}`:               `{"sessionId":"<n>","sessionId":"<n>"}`,
		`{"session\u0049d":"x"}`:                          `{"session\u0049d":"<n>"}`,
		`{"a":{"sessionId":"x"}}`:                         `{"sessionId":"<n>","a":{"sessionId":"x"}}`,
		` { } `:                                           `{"sessionId":"<n>" }`,
	} {
		got, err := acp.SetField(json.RawMessage(in), "sessionId", "<n>")
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", in, got, err, want)
		}
	}
	if _, err := acp.SetField(json.RawMessage(`[1]`), "a", 1); err == nil {
		t.Error("a list took a field")
	}
}

func TestPatch(t *testing.T) {
	title := "old"
	for _, c := range []struct{ in, want string }{{`{}`, "old"}, {`{"title":"new"}`, "new"}, {`{"title":5}`, "new"}, {`{"title":null}`, ""}} {
		var u acp.SessionInfoUpdate
		if err := json.Unmarshal([]byte(c.in), &u); err != nil {
			t.Fatal(err)
		}
		if u.Title.Apply(&title); title != c.want {
			t.Errorf("%s: %q, want %q", c.in, title, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	e := acp.TurnFailed(acp.CodeWatchdog, "watchdog", "no sign of life\nfor 3m0s")
	if e.Message != "no sign of life" || string(*e.Data) != `{"details":"no sign of life\nfor 3m0s","where":"watchdog"}` || e.Code != 1001 {
		t.Errorf("%+v", e)
	}
	if e := acp.UnknownSession("s"); e.Code != -32002 || string(*e.Data) != `{"sessionId":"s"}` {
		t.Errorf("%+v", e)
	}
	if m := acp.NewError(1, strings.Repeat("é", 1000), nil).Message; len([]rune(m)) != 300 {
		t.Errorf("%d characters", len([]rune(m)))
	}
}
