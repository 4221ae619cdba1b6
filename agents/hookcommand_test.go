package agents

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

func TestCommandWord(t *testing.T) {
	for command, want := range map[string]string{
		"./guard.sh":                  "./guard.sh",
		"  ./guard.sh --now":          "./guard.sh",
		"\n./guard.sh;echo":           "./guard.sh",
		"./guard.sh|cat":              "./guard.sh",
		"./guard.sh>log":              "./guard.sh",
		"'./my guard.sh' a":           "./my guard.sh",
		`"./my guard.sh" a`:           "./my guard.sh",
		`./my\ guard.sh a`:            "./my guard.sh",
		`./'a'"b"c`:                   "./abc",
		"A=1 B=./x ./guard.sh":        "./guard.sh",
		"./a=b c":                     "./a=b",
		"/usr/bin/env python3 x.py":   "/usr/bin/env",
		"jq -r .x":                    "jq",
		"if ./x; then echo; fi":       "if",
		"":                            "",
		"A=1":                         "",
		"(./x)":                       "",
		"$HOME/x":                     "",
		`"$X"/y`:                      "",
		"`which x`/y":                 "",
		"./*.sh":                      "",
		"./{a,b}":                     "",
		"# nothing":                   "",
		"'./open":                     "",
		`./x\`:                        "",
		"> log ./x":                   "",
		"'$HOME/x' the quotes are so": "$HOME/x",
	} {
		word, ok := commandWord(command)
		if word != want || ok != (want != "") {
			t.Errorf("commandWord(%q) = %q, %t; want %q", command, word, ok, want)
		}
	}
}

func TestHookCommandsAreChecked(t *testing.T) {
	w := newWorld(t, "plain.sh", "", "folder/x", "", "home/bin/ok.sh", "", "good one.sh", "")
	for _, name := range []string{"home/bin/ok.sh", "good one.sh"} {
		if err := os.Chmod(filepath.Join(w.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ command, want string }{
		{"./nope.sh --now", `the hook's command "./nope.sh" isn't there: no such file in the folder of the agent file`},
		{"sub/nope.sh", `the hook's command "sub/nope.sh" isn't there: no such file in the folder of the agent file`},
		{"plain.sh/x", `the hook's command "plain.sh/x" isn't there: no such file in the folder of the agent file`},
		{"./folder", `the hook's command "./folder" can't be run: it is a folder`},
		{"A=1 ./plain.sh", `the hook's command "./plain.sh" can't be run: make it executable with chmod +x plain.sh`},
		{"./good\\ one.sh a", ""},
		{"~/bin/ok.sh", ""},
		{"nope.sh", ""}, // a name for the shell to find
		{"cat ./nope", ""},
		{"$DIR/nope.sh", ""},
	} {
		if runtime.GOOS == "windows" && c.command == "A=1 ./plain.sh" {
			continue // no such permission there
		}
		w.write("mm.yaml", "hooks:\n  preAsk:\n    - command: "+strconv.Quote(c.command)+"\n")
		if c.want == "" {
			w.wantProblems()
			continue
		}
		w.wantProblems("mm.yaml:3:16: " + c.want)
	}
}
