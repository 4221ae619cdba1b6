package agents

import (
	"encoding/json"
	"strings"
	"time"
)

// draft is what the keys of a file say before they are weighed against each other and against
// the environment.
type draft struct {
	File
	yolo             *bool
	permissions      string
	instructionsFile string
	extraBody        json.RawMessage
	output           *outputDraft
	lsp              lspDraft
	acp              acpDraft
}

type acpDraft struct{ title, description string }

// agentFile is the table of all keys. Its order is that of the schema and of the reference page.
//
// It is made anew for each use: nothing of it is needed by a run that reads no file.
func agentFile() object[draft] {
	return newObject(rules{notBoth: [][2]string{{"instructions", "instructionsFile"}}}, join(
		serverFields(), requestFields(), toolFields(), limitFields(), otherFields())...)
}

func join[T any](parts ...[]field[T]) []field[T] {
	var all []field[T]
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

func serverFields() []field[draft] {
	return []field[draft]{
		text("provider", func(d *draft) *string { return &d.Provider },
			"The model server: "+strings.Join(quotedCode(append(providerNames(), scripted)), ", ")+", or any other label together with a `baseURL`. A known name gives `baseURL` its default. `scripted` plays the script in `script` and needs no server.",
			unset("whichever server answers on this machine"), override("MM_PROVIDER")),
		text("baseURL", func(d *draft) *string { return &d.BaseURL },
			"The address of the OpenAI-compatible endpoint, usually ending in `/v1`.",
			unset("that of the known provider"), expand, override("MM_BASE_URL")),
		text("apiKey", func(d *draft) *string { return &d.APIKey },
			"The key that is sent to the server as a bearer token. Better written as `${NAME}` than in the file itself. It is never logged, shown or saved in a session.",
			unset("none; for `openai` and `openrouter` at their own addresses, the variable `OPENAI_API_KEY` or `OPENROUTER_API_KEY`"),
			empty, expand, secret, override("MM_API_KEY")),
		pairs("headers", func(d *draft) *map[string]string { return &d.Headers },
			"HTTP headers to send with each request. Their values are kept as secret as the key.", expand, secret, headerNames),
		text("model", func(d *draft) *string { return &d.Model },
			"The model's name, as the server knows it.", unset("the first one that the server lists"), override("MM_MODEL")),
		text("script", func(d *draft) *string { return &d.Script },
			"The script of the provider `scripted`.", path),
	}
}

func requestFields() []field[draft] {
	return []field[draft]{
		number("temperature", func(d *draft) *float64 { return &d.Temperature },
			"How freely the model chooses its words. Always sent.", def(0.6), between(0, 2)),
		whole("maxTokens", func(d *draft) *int { return &d.MaxTokens },
			"The most tokens of one answer of the model. Always sent, and never the whole context window: a default that doesn't fit becomes half of it.", def(4096), between(1, 10_000_000)),
		optionalNumber("topP", func(d *draft) **float64 { return &d.TopP },
			"Nucleus sampling.", unset("not sent"), over0(1)),
		optionalWhole("seed", func(d *draft) **int64 { return &d.Seed },
			"Seed of the server's random numbers.", unset("not sent")),
		text("reasoningEffort", func(d *draft) *string { return &d.ReasoningEffort },
			"How much the model thinks before it answers, in the server's own word, such as `low` or `high`.", unset("not sent")),
		anything("extraBody", func(d *draft) *json.RawMessage { return &d.extraBody },
			"More keys for the body of each request, merged into it.", unset("not sent")),
		whole("contextWindow", func(d *draft) *int { return &d.ContextWindow },
			"How many tokens fit into the model's window.", unset("asked of the server, else 8192"), between(256, 100_000_000)),
		text("toolCalls", func(d *draft) *string { return &d.ToolCalls },
			"How the model calls tools. `native` uses the server's tool calls, `text` describes the tools in the prompt and reads calls from the answer, `auto` uses native ones and understands both.",
			def("auto"), choices("auto", "native", "text")),
		text("instructions", func(d *draft) *string { return &d.Instructions },
			"The system prompt.", unset("a short built-in one")),
		text("instructionsFile", func(d *draft) *string { return &d.instructionsFile },
			"A file with the system prompt, instead of `instructions`.", path),
	}
}

func toolFields() []field[draft] {
	return []field[draft]{
		boolean("bashTool", func(d *draft) *bool { return &d.BashTool },
			"Is there the tool `bash`?", def(true)),
		boolean("editTools", func(d *draft) *bool { return &d.EditTools },
			"Are there the tools `read_file`, `write_file` and `edit_file`?", def(false)),
		boolean("fetchContentTool", func(d *draft) *bool { return &d.FetchContentTool },
			"Is there the tool `fetch_content`?", def(false)),
		boolean("askUserTool", func(d *draft) *bool { return &d.AskUserTool },
			"Is there the tool `ask_user`? There never is beside `structuredOutput`.", def(true)),
		boolean("planTool", func(d *draft) *bool { return &d.PlanTool },
			"Is there the tool `plan`?", def(false)),
		text("skillsDir", func(d *draft) *string { return &d.SkillsDir },
			"The folder with the skills for the tool `read_skill`.", path),
	}
}

func limitFields() []field[draft] {
	return []field[draft]{
		whole("maxOutput", func(d *draft) *int { return &d.MaxOutput },
			"The most characters of one tool result.", def(16000), between(1, 10_000_000)),
		whole("previewLines", func(d *draft) *int { return &d.PreviewLines },
			"The most lines of a tool result that line mode shows.", def(8), between(0, 10_000)),
		whole("maxTurns", func(d *draft) *int { return &d.MaxTurns },
			"The most model calls in one turn.", def(50), between(1, 10_000)),
		duration("watchdogTimeout", func(d *draft) *time.Duration { return &d.WatchdogTimeout },
			"The silence that ends a turn. `0` is off.", def(3*time.Minute), between(0, day)),
	}
}

// day is the longest duration, in seconds.
const day = 24 * 60 * 60

func otherFields() []field[draft] {
	return []field[draft]{
		optionalBoolean("yolo", func(d *draft) **bool { return &d.yolo },
			"Do tools run without asking? `AGENT_YOLO` overrides it for one run. In an agent that another one asks it doesn't count: the file that the user started decides.", def(true)),
		text("permissions", func(d *draft) *string { return &d.permissions },
			"Deprecated: `ask` means `yolo: false`, `auto` means `yolo: true`.", choices("ask", "auto"), deprecated),
		structuredOutputField(),
		group("lsp", lspObject(), func(d *draft) *lspDraft { return &d.lsp },
			"Language servers for the tool `lsp`."),
		mcpField(),
		hooksField(),
		entriesField(),
		group("acp", acpObject(), func(d *draft) *acpDraft { return &d.acp },
			"How editors and askers name the agent."),
		text("sessionsDir", func(d *draft) *string { return &d.SessionsDir },
			"The folder for session files.", unset("`$XDG_STATE_HOME/mm/sessions`, usually `~/.local/state/mm/sessions`"), path),
		text("audit", func(d *draft) *string { return &d.Audit },
			"A file that gets a line of JSON for each decision about a tool call.", unset("none is written"), path),
	}
}

func acpObject() object[acpDraft] {
	return newObject(rules{},
		text("title", func(a *acpDraft) *string { return &a.title }, "The agent's name.", def(BuiltInTitle)),
		text("description", func(a *acpDraft) *string { return &a.description }, "What the agent is for, in a line."),
	)
}
