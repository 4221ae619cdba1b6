//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// openLine starts mm in line mode. The terminal stays open after it, to see what it leaves.
func openLine(t *testing.T, columns int) *pane {
	t.Helper()
	dir := folder(t, screenFiles())
	self, err := os.Executable() // /proc/self/exe would be the shell here
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "start.sh")
	text := fmt.Sprintf("#!/bin/sh\ncd '%[1]s'\nHOME='%[1]s' MM_TEST_MAIN=1 '%[2]s'\necho ended $?\nstty -a | grep -o -e ' icanon' -e ' -icanon'\nexec sleep 300\n", dir, self)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return openPane(t, "line", columns, 30, script)
}

// screenFiles is an agent that writes Markdown, takes its time, and runs a command.
func screenFiles() map[string]string {
	return map[string]string{
		"mm.yaml":  "provider: scripted\nscript: s.yaml\nyolo: false\ninstructions: You are a test.\nmmConfigs: {jan: {path: jan.yaml, description: reviews code}}\n",
		"jan.yaml": "provider: scripted\nscript: s.yaml\n",
		"s.yaml": `
- when: {user: "^show"}
  reply:
    - text: "# A heading\n\nText with **bold**, ` + "`code`" + ` and 日本語, 👍 and שלום in a paragraph that wraps.\n\n- one\n- two\n\n` + "```go\\nfunc main() {\\n\\tprintln(\\\"hi\\\") // say\\n}\\n```" + `\n\n| a | b |\n|---|---|\n| 1 | 日本 |\n\nEnd.\n"
- when: {user: "^slow"}
  reply: [{text: "The first "}, {text: "words of an "}, {delay: 300s}, {text: "answer"}]
- when: {user: "^think"}
  reply: [{delay: 300s}]
- when: {user: "^run (.*)"}
  reply: [{call: {name: bash, arguments: {command: "$1"}}}]
- when: {tool: "(?s)(.*)"}
  reply: "It printed: $1"
- reply: "You said it."
`,
	}
}

// TestScreens is a person at a terminal: types, completes, pastes, cancels, answers a permission,
// resizes, quits.
func TestScreens(t *testing.T) {
	for _, columns := range []int{80, 40, 20} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			p := openLine(t, columns)
			p.until(`^>$`)
			p.golden("start")
			p.types("/ag")
			p.keys("Tab")
			p.until(`^> /agents$`)
			p.golden("complete")
			p.keys("C-u")
			p.types("/ask")
			p.keys("Tab", "Tab", "Tab")
			p.until(`^❯ /ask-jan`)
			p.golden("menu")
			p.keys("C-u")
			p.types("show me")
			p.keys("Enter")
			p.until(`End\.\n(.*\n)+>$`)
			p.golden("markdown")
			p.pastes("first line\nsecond 日本語 line\n\tthird")
			p.until(`third$`)
			p.golden("paste")
			p.keys("Enter")
			p.until(`You said it\.\n(.*\n)+>$`)
			p.golden("pasted")
			p.types("slow")
			p.keys("Enter")
			p.until(`^The first words of`)
			p.types("typed meanwhile")
			p.until(`meanwhile$`)
			p.golden("meanwhile")
			p.keys("C-c")
			p.until(`^\[cancelled\]\n(.*\n)+> typed`)
			p.golden("cancelled")
			p.keys("C-u")
			p.types("think")
			p.keys("Enter")
			p.until(`^. Thinking`)
			p.golden("thinking")
			p.types("/abort")
			p.keys("Enter")
			p.until(`\[cancelled\]\n.*\n>$`)
			p.types("run echo hi")
			p.keys("Enter")
			p.until(`^🔐 bash: echo hi`)
			p.golden("question")
			p.resize(columns+13, 30)
			p.until(`^🔐 bash: echo hi`)
			p.golden("wider")
			p.resize(columns, 30)
			p.until(`^🔐 bash: echo hi`)
			p.golden("narrower")
			p.types("s")
			p.keys("Enter")
			p.until(`^It printed: hi\n(.*\n)+>$`)
			p.golden("answered")
			p.keys("C-r")
			p.types("sl")
			p.until(`^search: sl`)
			p.golden("search")
			p.keys("Escape")
			p.until(`^>$`)
			p.keys("C-d")
			p.until(`icanon`)
			p.golden("quit")
		})
	}
}
