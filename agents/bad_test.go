package agents

import (
	"strings"
	"testing"
)

// badCase is a wrong value with all it leads to. Problems lack "mm.yaml:".
type badCase struct {
	yaml     string
	problems string
	// onlyLoad marks what no schema can see: the environment, other files, other keys' values.
	onlyLoad bool
}

func badCases() []badCase {
	return []badCase{
		{yaml: "provider: 7", problems: `1:11: "provider" must be text, but this is the number 7 — put it in quotes`},
		{yaml: "provider: olama", onlyLoad: true,
			problems: `1:11: "provider" is "olama", which isn't known by name — did you mean "ollama"? Any other label needs a baseURL beside it`},
		{yaml: "provider: acme", onlyLoad: true,
			problems: `1:11: "provider" is "acme", which isn't known by name — known are ollama, llamacpp, lmstudio, dockermodelrunner, vllm, openai, openrouter, scripted. Any other label needs a baseURL beside it`},
		{yaml: "provider: scripted", onlyLoad: true, problems: `1:11: provider "scripted" needs "script", a file to play`},
		{yaml: "{provider: scripted, script: no.yaml}", onlyLoad: true, problems: `1:30: "script" names "DIR/no.yaml": no such file`},
		{yaml: "baseURL: 127.0.0.1:8080", onlyLoad: true, problems: `1:10: "baseURL" must be a whole address that begins with http:// or https://`},
		{yaml: "baseURL: ''", problems: `1:10: "baseURL" is empty`},
		{yaml: "baseURL: ${NOPE:-}", onlyLoad: true, problems: `1:10: "baseURL" is empty`},
		{yaml: "apiKey: 1234567", problems: `1:9: "apiKey" must be text, but this is a number — put it in quotes`},
		{yaml: `apiKey: "a\nb"`, onlyLoad: true, problems: `1:9: "apiKey" has a line end or another control character in it`},
		{yaml: "headers: Bearer sk-1234", problems: `1:10: "headers" must be a map from names to text, but this is text`},
		{yaml: "headers: {'a b': c}", problems: `1:11: "a b" can't be the name of an HTTP header: it takes letters, digits and - — "a-b" would do`},
		{yaml: `headers: {a: "b\nc"}`, onlyLoad: true, problems: `1:11: the value of the header "a" has a line end or another control character in it`},
		{yaml: "headers: {a: [x]}", problems: `1:14: "a" must be text, but this is a list`},
		{yaml: "model:", problems: `1:7: "model" must be text, but this is nothing — give it a value or take the key away`},
		{yaml: "model: ' '", problems: `1:8: "model" is empty`},
		{yaml: "model: 2024-01-01", onlyLoad: true, // the schema sees text where JSON has no dates
			problems: `1:8: "model" must be text, but this is the date 2024-01-01 — put it in quotes`},
		{yaml: "model: true", problems: `1:8: "model" must be text, but this is true — put it in quotes`},
		{yaml: "model: {}", problems: `1:8: "model" must be text, but this is a map`},
		{yaml: "temperature: 2.1", problems: `1:14: "temperature" must be between 0 and 2, but this is 2.1`},
		{yaml: "temperature: .nan", problems: `1:14: "temperature" must be a number, but this is the number .nan`},
		{yaml: "temperature: warm", problems: `1:14: "temperature" must be a number, but this is the text "warm"`},
		{yaml: "maxTokens: 0", problems: `1:12: "maxTokens" must be between 1 and 10000000, but this is 0`},
		{yaml: "maxTokens: 1.5", problems: `1:12: "maxTokens" must be a whole number, but this is the number 1.5`},
		{yaml: "maxTokens: '5'", problems: `1:12: "maxTokens" must be a whole number, but this is the text "5"`},
		{yaml: "{contextWindow: 8192, maxTokens: 8192}", onlyLoad: true,
			problems: `1:34: "maxTokens" must be under contextWindow (8192), but this is 8192: question and answer share the window`},
		{yaml: "topP: 0", problems: `1:7: "topP" must be over 0 and at most 1, but this is 0`},
		{yaml: "seed: 99999999999999999999", onlyLoad: true, problems: `1:7: "seed" is too large a number: 99999999999999999999`},
		{yaml: "reasoningEffort: [high]", problems: `1:18: "reasoningEffort" must be text, but this is a list`},
		{yaml: "extraBody: 5", problems: `1:12: "extraBody" must be a map, but this is the number 5`},
		{yaml: "extraBody: {a: .inf, b: !x y}", onlyLoad: true,
			problems: "1:16: JSON, which \"a\" becomes, can't hold the number .inf\n1:25: JSON, which \"b\" becomes, can't hold a value of the type !x"},
		{yaml: "extraBody: {stream: false}", onlyLoad: true, problems: `1:13: "extraBody" can't set "stream": mm writes that itself`},
		{yaml: "contextWindow: 1", problems: `1:16: "contextWindow" must be between 256 and 100000000, but this is 1`},
		{yaml: "toolCalls: nativ", problems: `1:12: "toolCalls" must be auto, native or text, but this is "nativ" — did you mean "native"?`},
		{yaml: "{instructions: a, instructionsFile: role.md}", problems: `1:19: the file has both "instructions" and "instructionsFile": take one away`},
		{yaml: "instructionsFile: nope.md", onlyLoad: true, problems: `1:19: "instructionsFile" names "DIR/nope.md": no such file`},
		{yaml: "instructionsFile: skills", onlyLoad: true, problems: `1:19: "instructionsFile" names "DIR/skills": this is a folder, not a file`},
		{yaml: `instructionsFile: "a\0b"`, onlyLoad: true, problems: `1:19: "instructionsFile" has a NUL character in it`},
		{yaml: "bashTool: no", problems: `1:11: "bashTool" must be true or false, but this is the text "no" — write false`},
		{yaml: "yolo: On", problems: `1:7: "yolo" must be true or false, but this is the text "On" — write true`},
		{yaml: "yolo: 1", problems: `1:7: "yolo" must be true or false, but this is the number 1`},
		{yaml: "yolo:", problems: `1:6: "yolo" must be true or false, but this is nothing — give it a value or take the key away`},
		{yaml: "permissions: never", problems: `1:14: "permissions" must be ask or auto, but this is "never"`},
		{yaml: "previewLines: -1", problems: `1:15: "previewLines" must be between 0 and 10000, but this is -1`},
		{yaml: "watchdogTimeout: 3 minutes", problems: `1:18: "watchdogTimeout" must be a duration such as 90s, 2m or a number of seconds, but this is the text "3 minutes"`},
		{yaml: "watchdogTimeout: -3s", problems: `1:18: "watchdogTimeout" must be a duration such as 90s, 2m or a number of seconds, but this is the text "-3s"`},
		{yaml: "watchdogTimeout: -3", problems: `1:18: "watchdogTimeout" must be between 0 and 86400 seconds, but this is -3`},
		{yaml: "watchdogTimeout: 25h", onlyLoad: true, problems: `1:18: "watchdogTimeout" must be between 0 and 86400 seconds, but this is 25h`},
		{yaml: "structuredOutput: {}", problems: "1:19: \"structuredOutput\" needs \"name\"\n1:19: \"structuredOutput\" needs \"schema\" or \"schemaFile\""},
		{yaml: "structuredOutput:", problems: `1:18: "structuredOutput" must be a map of name, schema, schemaFile, but this is nothing — give it a value or take the key away`},
		{yaml: "structuredOutput: {name: a b, schema: {}}", problems: `1:26: "name" must be 1 to 64 letters, digits, _ and -, but this is "a b"`},
		{yaml: "structuredOutput: {name: a, schema: [1]}", problems: `1:37: "schema" must be a map, but this is a list`},
		{yaml: "structuredOutput: {name: a, schemaFile: nope.json}", onlyLoad: true, problems: `1:41: "schemaFile" names "DIR/nope.json": no such file`},
		{yaml: "structuredOutput: {name: a, schemaFile: bad.json}", onlyLoad: true,
			problems: `DIR/bad.json:2:11: this isn't JSON: invalid character 'o' looking for beginning of value`},
		{yaml: "structuredOutput: {name: a, schemaFile: list.json}", onlyLoad: true,
			problems: `DIR/list.json:1:1: a JSON Schema must be a JSON object, but this is an array`},
		{yaml: "lsp: {servers: {zls: }}", problems: `1:22: "zls" needs "command"` + "\n" + `1:22: "zls" needs "extensions"`},
		{yaml: "lsp: {servers: {zls: {command: zls}}}", problems: `1:22: "zls" needs "extensions"`},
		{yaml: "lsp: {servers: [gopls]}", problems: `1:16: "servers" must be a map from names of language servers, but this is a list`},
		{yaml: "lsp: {servers: {gopls: {extensions: [a/b]}}}", problems: `1:38: item 1 of "extensions" must be an extension such as .go, but this is "a/b"`},
		{yaml: "lsp: {servers: {gopls: {arg: [a]}}}", problems: `1:25: unknown key "arg" — did you mean "args"?`},
		{yaml: "lsp: {server: {}}", problems: `1:7: unknown key "server" — did you mean "servers"?`},
		{yaml: "mcpServers: {m: {}}", problems: `1:17: "m" needs "command" or "url"`},
		{yaml: "mcpServers: {m: }", problems: `1:17: "m" must be a map of command, args, env, url, headers, permission, tools, but this is nothing — give it a value or take the key away`},
		{yaml: "mcpServers: {m: {command: a, url: 'http://x'}}", problems: `1:30: "m" has both "command" and "url": take one away`},
		{yaml: "mcpServers: {m: {url: 'http://x', env: {A: b}}}", problems: `1:35: "env" goes only with "command"`},
		{yaml: "mcpServers: {m: {command: x, headers: {A: b}}}", problems: `1:30: "headers" goes only with "url"`},
		{yaml: "mcpServers: {m: {url: '${HOST_NAME}'}}", onlyLoad: true, problems: `1:23: "url" must be a whole address that begins with http:// or https://`},
		{yaml: "mcpServers: {m: {command: x, tools: }}", problems: `1:37: "tools" must be a list of text, but this is nothing — give it a value or take the key away`},
		{yaml: "mcpServers: {'my server': {command: x}}", problems: `1:14: "my server" can't be the name of an MCP server: it takes letters, digits, - and _, a letter or digit first — "my-server" would do`},
		{yaml: "mcpServers: {m: {command: x, permission: never}}", problems: `1:42: "permission" must be ask or auto, but this is "never"`},
		{yaml: "hooks: {pretoolcall: []}", problems: `1:9: unknown hook event "pretoolcall" — did you mean "preToolCall"?`},
		{yaml: "hooks: {start: []}", problems: `1:9: unknown hook event "start" — there are preToolCall, postToolCall, preAsk, postAsk`},
		{yaml: "hooks: {preAsk: {command: a}}", problems: `1:17: "preAsk" must be a list, but this is a map — put "- " before it`},
		{yaml: "hooks: {preAsk: [./guard.sh]}", problems: `1:18: item 1 of "preAsk" must be a map of match, command, timeout, onError, but this is the text "./guard.sh"`},
		{yaml: "hooks: {preAsk: [{match: a}]}", problems: `1:18: item 1 of "preAsk" needs "command"`},
		{yaml: "hooks: {preAsk: [{command: a, match: 'a)|(b'}]}", onlyLoad: true, problems: `1:38: "match" isn't a regular expression (RE2): unexpected ): "a)|(b"`},
		{yaml: "hooks: {preAsk: [{command: a, timeout: 0}]}", problems: `1:40: "timeout" must be over 0 and at most 86400 seconds, but this is 0`},
		{yaml: "hooks: {preAsk: [{command: a, onError: ignore}]}", problems: `1:40: "onError" must be deny or continue, but this is "ignore"`},
		{yaml: "hooks: {preAsk: [{command: ./nope.sh}]}", onlyLoad: true, problems: `1:28: the hook's command "./nope.sh" isn't there: no such file in the folder of the agent file`},
		{yaml: "mmConfigs: {Jan: a}", problems: `1:13: "Jan" can't be the name of an agent: it takes small letters, digits, - and _, a letter or digit first — "jan" would do`},
		{yaml: "mmConfigs: {'_': a}", problems: `1:13: "_" can't be the name of an agent: it takes small letters, digits, - and _, a letter or digit first`},
		{yaml: "mmConfigs: {jan: 5}", problems: `1:18: "jan" must be a path or a map of path, command, args, env, description, yolo, timeout, prewarm, but this is the number 5`},
		{yaml: "mmConfigs: {jan: }", problems: `1:18: "jan" must be a path or a map of path, command, args, env, description, yolo, timeout, prewarm, but this is nothing — give it a value or take the key away`},
		{yaml: "mmConfigs: {jan: {}}", problems: `1:18: "jan" needs "path" or "command"`},
		{yaml: "mmConfigs: {jan: {path: a, command: b}}", problems: `1:28: "jan" has both "path" and "command": take one away`},
		{yaml: "mmConfigs: {jan: {path: a, args: [b]}}", problems: `1:28: "args" goes only with "command"`},
		{yaml: "mmConfigs: {jan: {command: a, args: --acp}}", problems: `1:37: "args" must be a list of text, but this is text — put it in brackets: [ … ]`},
		{yaml: "mmConfigs: {jan: {path: a, yolo: maybe}}", problems: `1:34: "yolo" must be true or false, but this is the text "maybe"`},
		{yaml: "mmConfigs: {jan: {path: a, env: {AGENT_YOLO: 'true'}}}",
			problems: `1:34: "AGENT_YOLO" can't be set here: only the file that the user started decides about yolo, and an asked agent must know that it is asked`},
		{yaml: "mmConfigs: {jan: {command: a, env: {mm_ask_depth: 0}}}", onlyLoad: true,
			problems: `1:37: "mm_ask_depth" can't be set here: only the file that the user started decides about yolo, and an asked agent must know that it is asked`},
		{yaml: "acp: {titel: x}", problems: `1:7: unknown key "titel" — did you mean "title"?`},
		{yaml: "acp.title: x", problems: `1:1: unknown key "acp.title" — write "acp" as a map and "title" in it`},
		{yaml: "title: x", problems: `1:1: unknown key "title" — it belongs into "acp"`},
		{yaml: "mmConfig: {}", problems: `1:1: unknown key "mmConfig" — did you mean "mmConfigs"?`},
		{yaml: "mcp_servers: {}", problems: `1:1: unknown key "mcp_servers" — did you mean "mcpServers"?`},
		{yaml: "zzzzzz: 1", problems: `1:1: unknown key "zzzzzz"`},
		{yaml: "sessionsDir: []", problems: `1:14: "sessionsDir" must be text, but this is a list`},
		{yaml: "audit: ''", problems: `1:8: "audit" is empty`},
		{yaml: "[a]", problems: `1:1: the file must be a map of keys, but this is a list`},
		{yaml: "hello", problems: `1:1: the file must be a map of keys, but this is the text "hello"`},
	}
}

func TestBadValues(t *testing.T) {
	for _, c := range badCases() {
		t.Run(c.yaml, func(t *testing.T) {
			w := keyWorld(t, c.yaml)
			var got []string
			for _, line := range w.problems() {
				line = strings.ReplaceAll(line, w.dir, "DIR")
				got = append(got, strings.TrimPrefix(line, "mm.yaml:"))
			}
			if got := strings.Join(got, "\n"); got != c.problems {
				t.Errorf("problems:\n%s\nwant:\n%s", got, c.problems)
			}
		})
	}
}
