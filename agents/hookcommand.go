package agents

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gopkg.in/yaml.v3"
)

// checkCommand stops the start when a hook begins with the path of a file that isn't there or
// can't be run: a guard that is missing must not be found out about at the first call.
func (w *walker) checkCommand(n *yaml.Node, command string) {
	word, ok := commandWord(command)
	if !ok || !strings.Contains(word, "/") {
		return
	}
	info, err := os.Stat(w.abs(word))
	switch {
	case isAbsent(err):
		w.problem(n, "the hook's command %s isn't there: no such file in the folder of the agent file", quote(word))
	case err != nil:
		w.problem(n, "the hook's command %s can't be run: %s", quote(word), reason(err))
	case info.IsDir():
		w.problem(n, "the hook's command %s can't be run: it is a folder", quote(word))
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		w.problem(n, "the hook's command %s can't be run: make it executable with chmod +x %s", quote(word), filepath.Base(word))
	}
}

// commandWord gives the first word of a shell command, after assignments ("A=1 ./guard.sh"). It
// reports false when only a shell can tell what the word is: it has an expansion in it, or the
// command begins with something else than a word.
func commandWord(command string) (string, bool) {
	for {
		word, rest, ok := shellWord(strings.TrimLeft(command, " \t\n"))
		if !ok || word == "" {
			return "", false
		}
		if name, _, assigns := strings.Cut(word, "="); !assigns || name == "" || strings.ContainsAny(name, "/.-") {
			return word, true
		}
		command = rest
	}
}

// shellWord cuts one word off, quotes and backslashes taken away.
func shellWord(command string) (word, rest string, ok bool) {
	var out strings.Builder
	quote := rune(0)
	escaped := false
	for i, r := range command {
		switch {
		case escaped:
			escaped = false
			out.WriteRune(r)
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case strings.ContainsRune("$`", r) && quote != '\'':
			return "", "", false
		case quote != 0:
			out.WriteRune(r)
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune(" \t\n;&|<>()", r):
			return out.String(), command[i:], true
		case strings.ContainsRune("*?[{#", r):
			return "", "", false
		default:
			out.WriteRune(r)
		}
	}
	return out.String(), "", quote == 0 && !escaped
}
