//go:build linux || darwin

package lsp_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/tools/lsp"
)

// known returns a language server as an agent file gets it that has only its name.
func known(t *testing.T, name string) lsp.Server {
	t.Helper()
	dir := t.TempDir()
	p := &project{t: t, dir: dir}
	p.write("mm.yaml", "lsp:\n  servers:\n    "+name+":\n")
	f, err := agents.Load(filepath.Join(dir, "mm.yaml"), agents.Env{Dir: dir, Lookup: func(string) (string, bool) { return "", false }})
	if err != nil {
		t.Fatal(err)
	}
	s := f.LSPServers[name]
	return lsp.Server{Name: s.Name, Command: s.Command, Args: s.Args, Extensions: s.Extensions, Language: s.Language,
		Env: s.Env, InitializationOptions: s.InitializationOptions, Settings: s.Settings}
}

// real is a language server that the tests run.
type real struct {
	name    string
	command string
	install string // how to get it
	files   string // txtar
	cells   []cell
}

// cell is an action of a server: its arguments, and parts of the answer in their order. The texts
// of servers change with their versions, so that only what matters is held; places are whole.
type cell struct {
	action, args string
	want         []string
}

const npm = "npm install -g typescript@6.0.3 typescript-language-server@5.3.0 bash-language-server@5.8.1 pyright@1.1.414"

func reals() []real {
	return []real{{
		name: "gopls", command: "gopls", install: "go install golang.org/x/tools/gopls@v0.23.0",
		files: `
-- go.mod --
module example.com/hello

go 1.24
-- hello.go --
package hello

// Greet greets somebody.
func Greet(name string) string { return "é𝒳" + name }

type Person struct{ Name string }

func (p *Person) Hello() string { return Greet(p.Name) }
-- use.go --
package hello

var all = []string{"é𝒳", Greet("x"), Greet("y")}
-- bad.go --
package hello

var n int = /* 𝒳 */ Greet("x")
`,
		cells: []cell{
			{"definition", `"path": "use.go", "symbol": "Greet"`, []string{`=hello.go:4:6 func Greet(name string) string { return "é𝒳" + name }`}},
			{"references", `"path": "hello.go", "symbol": "hello.Greet"`, []string{"=5 reference(s):\n" +
				"bad.go:3:21 var n int = /* 𝒳 */ Greet(\"x\")\n" +
				"hello.go:4:6 func Greet(name string) string { return \"é𝒳\" + name }\n" +
				"hello.go:8:42 func (p *Person) Hello() string { return Greet(p.Name) }\n" +
				"use.go:3:26 var all = []string{\"é𝒳\", Greet(\"x\"), Greet(\"y\")}\n" +
				"use.go:3:38 var all = []string{\"é𝒳\", Greet(\"x\"), Greet(\"y\")}"}},
			{"hover", `"path": "use.go", "line": 3, "column": 26`, []string{"func Greet(name string) string", "Greet greets somebody."}},
			{"symbols", `"path": "hello.go"`, []string{"=function Greet [func(name string) string] line 4\n" +
				"struct Person [struct{...}] line 6\n" +
				"  field Name [string] line 6\n" +
				"method (*Person).Hello [func() string] line 8"}},
			{"diagnostics", `"path": "bad.go"`, []string{"1 diagnostic(s) in bad.go", "error bad.go:3:21 cannot use", "[compiler]"}},
			{"rename", `"path": "use.go", "symbol": "Greet", "new_name": "Welcome"`, []string{"=renamed to Welcome: 6 edit(s) in 3 file(s)\nbad.go: 1 edit(s)\nhello.go: 3 edit(s)\nuse.go: 2 edit(s)"}},
		},
	}, {
		name: "typescript-language-server", command: "typescript-language-server", install: npm,
		files: `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "target": "esnext", "moduleResolution": "bundler"}}
-- lib.ts --
/** Greets somebody. */
export function greet(name: string): string {
  return "é𝒳" + name;
}
export class Person {
  name = "";
}
-- use.ts --
import { greet } from "./lib";

export const all = ["é𝒳", greet("x"), greet("y")];
-- bad.ts --
import { greet } from "./lib";

export const n: number = greet("x");
`,
		cells: []cell{
			{"definition", `"path": "use.ts", "symbol": "greet", "line": 3`, []string{"=lib.ts:2:17 export function greet(name: string): string {"}},
			{"references", `"path": "lib.ts", "symbol": "greet"`, []string{"=6 reference(s):\n" +
				"bad.ts:1:10 import { greet } from \"./lib\";\n" +
				"bad.ts:3:26 export const n: number = greet(\"x\");\n" +
				"lib.ts:2:17 export function greet(name: string): string {\n" +
				"use.ts:1:10 import { greet } from \"./lib\";\n" +
				"use.ts:3:27 export const all = [\"é𝒳\", greet(\"x\"), greet(\"y\")];\n" +
				"use.ts:3:39 export const all = [\"é𝒳\", greet(\"x\"), greet(\"y\")];"}},
			{"hover", `"path": "use.ts", "symbol": "greet"`, []string{"function greet(name: string): string", "Greets somebody."}},
			{"symbols", `"path": "lib.ts"`, []string{"=function greet line 2\nclass Person line 5\n  property name line 6"}},
			{"diagnostics", `"path": "bad.ts"`, []string{"1 diagnostic(s) in bad.ts", "error bad.ts:3:14 Type 'string' is not assignable to type 'number'. [typescript]"}},
			{"rename", `"path": "use.ts", "symbol": "greet", "line": 3, "new_name": "welcome"`, []string{"=renamed to welcome: 6 edit(s) in 3 file(s)\nbad.ts: 2 edit(s)\nlib.ts: 1 edit(s)\nuse.ts: 3 edit(s)"}},
		},
	}, {
		name: "pyright", command: "pyright-langserver", install: npm,
		files: `
-- lib.py --
def greet(name: str) -> str:
    """Greets somebody."""
    return "é𝒳" + name


class Person:
    name: str = ""
-- use.py --
from lib import greet

all = ["é𝒳", greet("x"), greet("y")]
-- bad.py --
from lib import greet

n: int = greet("x")
`,
		cells: []cell{
			{"definition", `"path": "use.py", "symbol": "greet"`, []string{"=lib.py:1:5 def greet(name: str) -> str:"}},
			{"references", `"path": "lib.py", "symbol": "greet"`, []string{"=6 reference(s):\n" +
				"bad.py:1:17 from lib import greet\n" +
				"bad.py:3:10 n: int = greet(\"x\")\n" +
				"lib.py:1:5 def greet(name: str) -> str:\n" +
				"use.py:1:17 from lib import greet\n" +
				"use.py:3:14 all = [\"é𝒳\", greet(\"x\"), greet(\"y\")]\n" +
				"use.py:3:26 all = [\"é𝒳\", greet(\"x\"), greet(\"y\")]"}},
			{"hover", `"path": "use.py", "symbol": "greet"`, []string{"def greet(name: str) -> str", "Greets somebody."}},
			{"symbols", `"path": "lib.py"`, []string{"function greet line 1\n", "class Person line 6\n  variable name line 7"}},
			{"diagnostics", `"path": "bad.py"`, []string{"1 diagnostic(s) in bad.py", `error bad.py:3:10 Type "str" is not assignable to declared type "int"`, "[Pyright]"}},
			{"rename", `"path": "use.py", "symbol": "greet", "new_name": "welcome"`, []string{"=renamed to welcome: 6 edit(s) in 3 file(s)\nbad.py: 2 edit(s)\nlib.py: 1 edit(s)\nuse.py: 3 edit(s)"}},
		},
	}, {
		name: "clangd", command: "clangd", install: "apt-get install clangd",
		files: `
-- compile_flags.txt --
-xc
-- lib.h --
// Greets somebody.
int greet(int n);
struct person { int age; };
-- use.c --
#include "lib.h"

int greet(int n) { return n; }
int all[] = {0};
int both(void) { return /* é𝒳 */ greet(1) + greet(2); }
-- bad.c --
#include "lib.h"

int *n(void) { return /* é𝒳 */ greet("x"); }
`,
		cells: []cell{
			{"definition", `"path": "use.c", "symbol": "greet", "line": 5`, []string{"use.c:3:5 int greet(int n) { return n; }"}},
			{"references", `"path": "use.c", "symbol": "greet"`, []string{" reference(s):", // 14 leaves the declaration in the header out
				"use.c:3:5 int greet(int n) { return n; }\n" +
					"use.c:5:34 int both(void) { return /* é𝒳 */ greet(1) + greet(2); }\n" +
					"use.c:5:45 int both(void) { return /* é𝒳 */ greet(1) + greet(2); }"}},
			{"hover", `"path": "use.c", "symbol": "greet", "line": 5`, []string{"function", "greet", "Greets somebody."}},
			{"symbols", `"path": "lib.h"`, []string{"function greet [int (int)] line 2\n", "person [struct] line 3\n  field age [int] line 3"}},
			{"diagnostics", `"path": "bad.c"`, []string{"2 diagnostic(s) in bad.c", "warning bad.c:3:32 ", "warning bad.c:3:38 ", "[clang]"}},
			{"rename", `"path": "use.c", "symbol": "both", "new_name": "twice"`, []string{"=renamed to twice: 1 edit(s) in 1 file(s)\nuse.c: 1 edit(s)"}},
		},
	}, {
		name: "bash-language-server", command: "bash-language-server", install: npm + ", and apt-get install shellcheck for its diagnostics",
		files: `
-- lib.sh --
#!/bin/bash
# Greets somebody.
greet() {
  echo "é𝒳 $1"
}
-- use.sh --
#!/bin/bash
source ./lib.sh
echo "é𝒳" "$(greet x)"; greet y
-- bad.sh --
#!/bin/bash
x=$1
echo "é" $x
`,
		cells: []cell{
			{"definition", `"path": "use.sh", "symbol": "greet"`, []string{"=lib.sh:3:1 greet() {"}},
			{"references", `"path": "lib.sh", "symbol": "greet", "line": 3`, []string{"=3 reference(s):\n" +
				"lib.sh:3:1 greet() {\n" +
				"use.sh:3:14 echo \"é𝒳\" \"$(greet x)\"; greet y\n" +
				"use.sh:3:25 echo \"é𝒳\" \"$(greet x)\"; greet y"}},
			{"hover", `"path": "use.sh", "symbol": "greet"`, []string{"greet", "Greets somebody."}},
			{"symbols", `"path": "lib.sh"`, []string{"=function greet line 3"}},
			{"diagnostics", `"path": "bad.sh"`, []string{"1 diagnostic(s) in bad.sh", "info bad.sh:3:10 ", "[shellcheck]"}},
			{"rename", `"path": "lib.sh", "symbol": "greet", "new_name": "welcome"`, []string{"=renamed to welcome: 3 edit(s) in 2 file(s)\nlib.sh: 1 edit(s)\nuse.sh: 2 edit(s)"}},
		},
	}}
}

// need skips a test whose server isn't there, and says how to get it.
func (r real) need(t *testing.T) lsp.Server {
	t.Helper()
	if _, err := exec.LookPath(r.command); err != nil {
		t.Skipf("%s (%s) isn't on the PATH: %s", r.name, r.command, r.install)
	}
	return known(t, r.name)
}

// TestRealServers is the table of servers and actions.
func TestRealServers(t *testing.T) {
	for _, r := range reals() {
		t.Run(r.name, func(t *testing.T) {
			p := newProject(t, r.files, r.need(t))
			for _, c := range r.cells {
				t.Run(c.action, func(t *testing.T) { p.cell(t, c) })
			}
		})
	}
}

func (p *project) cell(t *testing.T, c cell) {
	p.t = t
	args := `"action": "` + c.action + `", ` + c.args
	got := p.call(args)
	// On a busy machine 3 s aren't always enough for a server: the text says to call again.
	for end := time.Now().Add(time.Minute); strings.HasPrefix(got, "no diagnostics") && time.Now().Before(end); {
		got = p.call(args)
	}
	rest := got
	for _, want := range c.want {
		if whole, ok := strings.CutPrefix(want, "="); ok {
			if got != whole {
				t.Errorf("got:\n%s\nwant:\n%s", got, whole)
			}
			return
		}
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Errorf("got:\n%s\nwhich lacks:\n%s", got, want)
		}
		rest = after
	}
}
