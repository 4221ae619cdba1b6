package acp_test

import (
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// typesBySchema pairs the schema's types with ours. Some of ours serve several.
var typesBySchema = map[string]any{
	"InitializeRequest": acp.InitializeRequest{}, "InitializeResponse": acp.InitializeResponse{},
	"Implementation": acp.Implementation{}, "ClientCapabilities": acp.ClientCapabilities{},
	"FileSystemCapabilities": acp.FSCapabilities{}, "ClientSessionCapabilities": acp.ClientSessionCapabilities{},
	"SessionConfigOptionsCapabilities": acp.ConfigOptionCapabilities{}, "AuthCapabilities": acp.ClientAuthCapabilities{},
	"ElicitationCapabilities": acp.ElicitationCapabilities{}, "AgentCapabilities": acp.AgentCapabilities{},
	"PromptCapabilities": acp.PromptCapabilities{}, "McpCapabilities": acp.MCPCapabilities{},
	"SessionCapabilities": acp.SessionCapabilities{}, "AgentAuthCapabilities": acp.AgentAuthCapabilities{},
	"AuthMethodTerminal": acp.AuthMethod{}, "AuthenticateRequest": acp.AuthenticateRequest{},
	"NewSessionRequest": acp.NewSessionRequest{}, "NewSessionResponse": acp.NewSessionResponse{},
	"LoadSessionRequest": acp.LoadSessionRequest{}, "ResumeSessionRequest": acp.LoadSessionRequest{},
	"LoadSessionResponse": acp.LoadSessionResponse{}, "ResumeSessionResponse": acp.LoadSessionResponse{},
	"ListSessionsRequest": acp.ListSessionsRequest{}, "ListSessionsResponse": acp.ListSessionsResponse{},
	"SessionInfo": acp.SessionInfo{}, "CloseSessionRequest": acp.SessionRequest{}, "DeleteSessionRequest": acp.SessionRequest{},
	"CancelNotification": acp.SessionRequest{}, "PromptRequest": acp.PromptRequest{}, "PromptResponse": acp.PromptResponse{},
	"CancelRequestNotification": acp.CancelRequestParams{}, "McpServerStdio": acp.MCPServer{}, "McpServerHttp": acp.MCPServer{},
	"McpServerSse": acp.MCPServer{}, "EnvVariable": acp.NameValue{}, "HttpHeader": acp.NameValue{},
	"SessionModeState": acp.Modes{}, "SessionMode": acp.Mode{}, "SetSessionModeRequest": acp.SetModeRequest{},
	"SessionConfigSelectOption": acp.ConfigValue{}, "SetSessionConfigOptionResponse": acp.SetConfigOptionResponse{},
	"TextContent": acp.ContentBlock{}, "ImageContent": acp.ContentBlock{}, "AudioContent": acp.ContentBlock{},
	"ResourceLink": acp.ContentBlock{}, "EmbeddedResource": acp.ContentBlock{}, "Annotations": acp.Annotations{},
	"TextResourceContents": acp.ResourceContents{}, "BlobResourceContents": acp.ResourceContents{},
	"ToolCall": acp.ToolCall{}, "ToolCallUpdate": acp.ToolCallUpdate{}, "ToolCallLocation": acp.ToolCallLocation{},
	"Content": acp.ToolCallContent{}, "Diff": acp.ToolCallContent{}, "Terminal": acp.ToolCallContent{},
	"PermissionOption": acp.PermissionOption{}, "RequestPermissionRequest": acp.RequestPermissionRequest{},
	"SelectedPermissionOutcome": acp.PermissionOutcome{}, "RequestPermissionResponse": acp.RequestPermissionResponse{},
	"ContentChunk": acp.Chunk{}, "Plan": acp.Plan{}, "PlanEntry": acp.PlanEntry{}, "AvailableCommandsUpdate": acp.AvailableCommands{},
	"AvailableCommand": acp.AvailableCommand{}, "UnstructuredCommandInput": acp.CommandInput{}, "CurrentModeUpdate": acp.CurrentMode{},
	"ConfigOptionUpdate": acp.ConfigOptions{}, "SessionInfoUpdate": acp.SessionInfoUpdate{}, "UsageUpdate": acp.Usage{},
	"Cost": acp.Cost{}, "Notice": acp.Notice{}, "CompactionUpdate": acp.Compaction{}, "CompactionSummaryChunk": acp.CompactionSummaryChunk{},
	"ElicitationSessionScope": acp.ElicitRequest{}, "ElicitationUrlMode": acp.ElicitRequest{}, "ElicitationFormMode": acp.ElicitRequest{},
	"CreateElicitationRequest": acp.ElicitRequest{}, "ElicitationSchema": acp.ElicitationSchema{}, "EnumOption": acp.EnumOption{},
	"StringPropertySchema": acp.Property{}, "NumberPropertySchema": acp.Property{}, "BooleanPropertySchema": acp.Property{},
	"MultiSelectPropertySchema": acp.Property{}, "StringMultiSelectItems": acp.PropertyItems{}, "TitledMultiSelectItems": acp.PropertyItems{},
	"ElicitationAcceptAction": acp.ElicitResponse{}, "CompleteElicitationNotification": acp.ElicitComplete{},
	"ReadTextFileRequest": acp.ReadTextFileRequest{}, "ReadTextFileResponse": acp.ReadTextFileResponse{},
	"WriteTextFileRequest": acp.WriteTextFileRequest{}, "CreateTerminalRequest": acp.CreateTerminalRequest{},
	"CreateTerminalResponse": acp.CreateTerminalResponse{}, "TerminalOutputRequest": acp.TerminalRequest{},
	"ReleaseTerminalRequest": acp.TerminalRequest{}, "WaitForTerminalExitRequest": acp.TerminalRequest{},
	"KillTerminalRequest": acp.TerminalRequest{}, "TerminalOutputResponse": acp.TerminalOutputResponse{},
	"WaitForTerminalExitResponse": acp.ExitStatus{}, "TerminalExitStatus": acp.ExitStatus{},
	"SubagentUpdate": acp.SubagentUpdate{}, "SubagentSessionCapabilities": acp.SubagentCapabilities{}, "SessionMessage": acp.SessionMessage{},
	"SessionMessageChunk": acp.SessionMessageChunk{}, "PlanUpdate": acp.PlanUpdate{}, "PlanRemoved": acp.PlanRemoved{},
	"PlanItems": acp.PlanContent{}, "PlanFile": acp.PlanContent{}, "PlanMarkdown": acp.PlanContent{}, "SystemPrompt": acp.SystemPrompt{},
	"IdleStateUpdate": acp.SubagentState{}, "CreateElicitationResponse": acp.ElicitResponse{}, "AuthenticateResponse": acp.Empty{}, "LogoutRequest": acp.Empty{},
}

// exceptions are members for which our struct differs from the schema, and why.
var exceptions = map[string]string{
	"IdleStateUpdate.usage":              "unstable; mm has no use for it",
	"RequestPermissionRequest.options":   "a child's odd option is dropped, not the whole question",
	"ElicitationSessionScope.toolCallId": "the request is asked without it too",
	"ImageContent.mimeType":              "ContentBlock checks what its type needs",
	"AudioContent.mimeType":              "ContentBlock checks what its type needs",
	"ResourceLink.uri":                   "ContentBlock checks what its type needs",
	"SelectedPermissionOutcome.optionId": "the same struct is the outcome cancelled",
}

// Every member of a type has its field and the other way round, and is read as the schema says.
func TestTypesAgreeWithSchema(t *testing.T) {
	s, err := acptest.LoadSchema()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(acptest.NoSchema)
	}
	if err != nil {
		t.Fatal(err)
	}
	used := map[reflect.Type]map[string]bool{}
	for name, v := range typesBySchema {
		def := s.Definition(name)
		if def == nil {
			t.Errorf("no type %s in the schema", name)
			continue
		}
		typ := reflect.TypeOf(v)
		if used[typ] == nil {
			used[typ] = map[string]bool{}
		}
		props, _ := def["properties"].(map[string]any)
		for key, prop := range props {
			used[typ][key] = true
			if exceptions[name+"."+key] == "" {
				checkField(t, name+"."+key, typ, key, prop.(map[string]any), required(def, key))
			}
		}
	}
	discriminators := []string{"type", "mode", "action", "outcome", "state", "sessionId", "requestId", "toolCallId", "subagents", "plan", "systemPrompt"}
	for typ, keys := range used {
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if key != "-" && !keys[key] && !slices.Contains(discriminators, key) {
				t.Errorf("%s.%s: the schema has no %q", typ, typ.Field(i).Name, key)
			}
		}
	}
}

func required(def map[string]any, key string) bool {
	list, _ := def["required"].([]any)
	return slices.Contains(list, any(key))
}

func checkField(t *testing.T, path string, typ reflect.Type, key string, prop map[string]any, required bool) {
	t.Helper()
	var f reflect.StructField
	for i := range typ.NumField() {
		if name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); name == key {
			f = typ.Field(i)
		}
	}
	if f.Name == "" {
		t.Errorf("%s: %s has no field for it", path, typ)
		return
	}
	rule := f.Tag.Get("acp")
	optional := strings.Contains(f.Tag.Get("json"), ",omit")
	lenient := optional && rule != "strict" || rule == "lenient"
	forgiving := prop["x-deserialize-default-on-error"] == true
	// A struct that serves several types can't require what only some of them have.
	if !shared(typ) {
		if required && optional {
			t.Errorf("%s is required, and the field may be left out", path)
		}
		if !required && rule == "required" {
			t.Errorf("%s isn't required, but the field is", path)
		}
	}
	if forgiving != lenient && !alwaysRead(f) {
		t.Errorf("%s: default on error: %t in the schema, %t here", path, forgiving, lenient)
	}
}

// shared reports whether a struct serves several types of the schema.
func shared(typ reflect.Type) bool {
	n := 0
	for _, v := range typesBySchema {
		if reflect.TypeOf(v) == typ {
			n++
		}
	}
	return n > 1
}

// alwaysRead reports whether no value of a field is bad.
func alwaysRead(f reflect.StructField) bool {
	return f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Uint8
}
