package hooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// prepare returns the hook ready to run, and what is wrong with it by key.
func prepare(k Kind, h Hook, dir string) (hook, map[string]string) {
	wrong := map[string]string{}
	match, err := compile(h.Match)
	if err != nil {
		wrong["match"] = err.Error()
	}
	if text := checkCommand(h.Command, dir); text != "" {
		wrong["command"] = text
	}
	ready := hook{Hook: h, match: match, continues: h.OnError == "continue"}
	switch h.OnError {
	case "":
		ready.continues = k == PostToolCall
	case "deny", "continue":
	default:
		wrong["onError"] = `must be "deny" or "continue"`
	}
	if h.Timeout < 0 {
		wrong["timeout"] = "must not be negative"
	}
	if h.Timeout == 0 {
		ready.Timeout = DefaultTimeout
	}
	return ready, wrong
}

// compile returns an expression that matches whole names. The pattern is compiled alone first, so
// that its own parentheses can't undo the anchors.
func compile(pattern string) (*regexp.Regexp, error) {
	if pattern == "" {
		return regexp.Compile("")
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, err
	}
	return regexp.Compile(`\A(?:` + pattern + `)\z`)
}

// checkCommand says what is wrong with a command, "" if nothing is: one that begins with the path
// of a file needs that file (supplement 6).
func checkCommand(command, dir string) string {
	if strings.TrimSpace(command) == "" {
		return "is empty"
	}
	word, ok := firstWord(command)
	if !ok || !strings.Contains(word, "/") {
		return ""
	}
	path := word
	if rest, tilde := strings.CutPrefix(word, "~/"); tilde {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		path = filepath.Join(home, rest)
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no file " + path
	case err != nil:
		return err.Error()
	case info.IsDir():
		return path + " is a folder"
	case !canRun(info):
		return path + " can't be run — chmod +x makes it so"
	}
	return ""
}

// firstWord returns the first word of a shell command if it can be told without running a shell.
func firstWord(command string) (word string, ok bool) {
	var b strings.Builder
	var quote rune
	escaped := false
	for i, c := range strings.TrimSpace(command) {
		switch {
		case escaped:
			b.WriteRune(c)
			escaped = false
		case quote == '\'' && c != '\'':
			b.WriteRune(c)
		case c == '\\':
			escaped = true
		case c == '$' || c == '`':
			return "", false
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(c)
		case c == '\'' || c == '"':
			quote = c
		case strings.ContainsRune(" \t\n;|&<>", c):
			return b.String(), true
		case strings.ContainsRune("*?[{(=!", c) || c == '~' && i > 0:
			return "", false // a pattern, a list, an assignment
		default:
			b.WriteRune(c)
		}
	}
	return b.String(), quote == 0 && !escaped
}
