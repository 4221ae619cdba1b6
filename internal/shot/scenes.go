package main

import (
	"strings"
	"time"
)

// scene is one picture.
type scene struct {
	name          string
	label         string
	args          []string
	columns, rows int
	light         bool // on a light background
	files         map[string]string
	keys          []key
}

// key is what is typed once a text is shown.
type key struct {
	after string
	pause time.Duration
	typed string
}

// reading is longer than a question's guard against what was typed before it appeared.
const reading = time.Second

func scenes() []scene {
	return []scene{
		{
			name: "demo", label: "mm demo in a terminal", args: []string{"demo"}, columns: 96, rows: 30,
			files: named("LICENSE", "README.md", "go.mod", "main.go", "main_test.go"),
			keys: []key{
				{after: "/quit ends."}, {after: "> ", typed: "what is here?\r"}, {after: "ever in this session ?", typed: "s\r"},
				{after: "main_test.go"}, {after: "tokens"},
			},
		},
		{
			name: "window", label: "mm -tui: jan and homer work side by side, jan asks for permission", args: []string{"-tui"}, columns: 116, rows: 32,
			files: team(),
			keys: []key{
				{after: "F1 keys", typed: "Is the parser ready for the release?\r"},
				{after: "[n] never in this session"}, {after: "homer: \"slow\""},
			},
		},
		{
			name: "window-diff", label: "mm -tui: the change that is asked about, in full", args: []string{"-tui"}, columns: 96, rows: 28, light: true,
			files: editor(),
			keys: []key{
				{after: "F1 keys", typed: "greet by name\r"}, {after: "[n] never in this session", pause: reading},
			},
		},
		{
			name: "window-question", label: "mm -tui: the model asks the user", args: []string{"-tui"}, columns: 80, rows: 20,
			files: asker(),
			keys: []key{
				{after: "F1 keys", typed: "set up the project\r"}, {after: "Which licence", pause: reading, typed: "\x1b[B"},
			},
		},
	}
}

func named(names ...string) map[string]string {
	list := map[string]string{}
	for _, n := range names {
		list[n] = n + "\n"
	}
	return list
}

// team is a lead who asks two agents at the same time.
func team() map[string]string {
	return map[string]string{
		"mm.yaml": `provider: scripted
script: lead.script.yaml
model: lead-14b
bashTool: false
acp: {title: lead}
mmConfigs:
  jan: {path: jan.yaml, description: reviews code, yolo: false}
  homer: {path: homer.yaml, description: runs tests, yolo: true}
`,
		"lead.script.yaml": `
- when: {user: .}
  reply:
    - thought: Two things to find out, and they don't need each other.
    - text: "Two agents look at it **side by side**:\n\n- jan reviews the parser\n- homer runs its tests\n"
    - call: {name: ask_agent, arguments: {agent: jan, prompt: "Review parser.go: are all errors handled?"}}
    - call: {name: ask_agent, arguments: {agent: homer, prompt: "Run the parser's tests and tell what fails."}}
`,
		"jan.yaml": "provider: scripted\nscript: jan.script.yaml\nmodel: coder-8b\nacp: {title: reviewer}\n",
		"jan.script.yaml": `
- when: {user: .}
  reply:
    - thought: The errors of the reader first.
    - text: "Looking for errors that nobody reads."
    - call: {name: bash, arguments: {command: "go vet ./... && grep -n '_ = ' parser.go"}}
`,
		"homer.yaml": "provider: scripted\nscript: homer.script.yaml\nmodel: small-4b\n",
		"homer.script.yaml": strings.Join([]string{
			"- when: {user: .}\n  reply:\n    - text: \"The tests run now. \"\n    - call: {name: bash, arguments: {command: 'echo ok parser 0.4s; echo ok lexer 0.1s'}}\n",
			"- when: {tool: .}\n  reply:\n    - text: \"All pass. One is marked `homer: \\\"slow\\\"`\"\n    - delay: 60s\n    - text: \".\"\n",
		}, ""),
		"parser.go": "package parser\n",
	}
}

// editor is an agent that changes a file.
func editor() map[string]string {
	return map[string]string{
		"mm.yaml":  "provider: scripted\nscript: s.script.yaml\nmodel: coder-8b\nyolo: false\neditTools: true\n",
		"hello.go": "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hello\")\n}\n",
		"s.script.yaml": `
- when: {user: .}
  reply:
    - text: "The name comes from the first argument:"
    - call:
        name: edit_file
        arguments:
          path: hello.go
          edits:
            - {old: "import \"fmt\"", new: "import (\n\t\"fmt\"\n\t\"os\"\n)"}
            - {old: "\tfmt.Println(\"hello\")", new: "\tfmt.Printf(\"hello, %s\\n\", os.Args[1])"}
`,
	}
}

// asker is an agent with questions.
func asker() map[string]string {
	return map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.script.yaml\nmodel: small-4b\n",
		"s.script.yaml": `
- when: {user: .}
  reply:
    - text: "Two things I can't know:"
    - call:
        name: ask_user
        arguments:
          questions:
            - {question: "Which licence?", type: choice, options: [MIT, Apache-2.0, none yet], default: MIT}
            - {question: "What should be set up?", type: multi, options: [tests, CI, a linter]}
`,
	}
}
