package agents

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Env is what the process lends to this package.
type Env struct {
	// Lookup reads an environment variable, like os.LookupEnv. Nil means that none is set.
	Lookup func(name string) (string, bool)
	// Home is the user's home folder, "" when there is none.
	Home string
	// Dir is the absolute folder that relative paths of the command line start from.
	Dir string
}

// get returns a variable's value, "" also when it isn't set.
func (e Env) get(name string) string {
	if value, ok := e.lookup(name); ok {
		return value
	}
	return ""
}

func (e Env) lookup(name string) (string, bool) {
	if e.Lookup == nil {
		return "", false
	}
	return e.Lookup(name)
}

// base gives a folder of the XDG base directory specification: the variable's value when it is an
// absolute path ("all paths set in these variables must be absolute, a relative one is ignored"),
// else the default below the home folder, else "".
func (e Env) base(variable string, fallback ...string) string {
	if dir := e.get(variable); filepath.IsAbs(dir) {
		return dir
	}
	if e.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{e.Home}, fallback...)...)
}

// abs resolves a path of the command line.
func (e Env) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(e.Dir, path)
}

// fileName is the agent file's name where Find looks for one.
const fileName = "mm.yaml"

// SearchPath lists where Find looks when neither the command line nor MM_CONFIG names a file.
func SearchPath(env Env) []string {
	paths := []string{fileName}
	if dir := env.base("XDG_CONFIG_HOME", ".config"); dir != "" {
		paths = append(paths, filepath.Join(dir, "mm", fileName))
	}
	return paths
}

// Find says which agent file counts: explicit (the command line's --config), else $MM_CONFIG, else
// the first that exists of SearchPath. The path is for Load, with the same env; relative ones stay
// as they were written, for messages. found is false when there is none.
//
// A file that was named and isn't there is an error: going on with another one would run an agent
// that nobody asked for.
func Find(explicit string, env Env) (path string, found bool, err error) {
	for _, named := range []struct{ path, by string }{{explicit, "--config"}, {env.get("MM_CONFIG"), "MM_CONFIG"}} {
		if named.path == "" {
			continue
		}
		if _, err := os.Stat(env.abs(named.path)); errors.Is(err, fs.ErrNotExist) {
			return "", false, &Error{[]Problem{{File: named.path, Text: "no such file (named by " + named.by + ")", Err: err}}}
		}
		return named.path, true, nil
	}
	for _, path := range SearchPath(env) {
		// Lstat: a link that points nowhere was meant to be the agent file, so Load says what is wrong.
		if _, err := os.Lstat(env.abs(path)); err == nil || !isAbsent(err) {
			return path, true, nil
		}
	}
	return "", false, nil
}
