package agents

import (
	"path/filepath"

	"gopkg.in/yaml.v3"
)

// Load reads an agent file. A relative path starts from env.Dir and is named in problems as it is
// written. The error is an *Error with all problems of the file and of the environment variables
// that count for it; the File is nil then.
func Load(path string, env Env) (*File, error) {
	abs := env.abs(path)
	w := newWalker(path, filepath.Dir(abs), env)
	d := newDraft()
	d.Path, d.Dir = abs, w.dir
	text, fault := readText(abs, maxFile)
	if fault != nil {
		fault.File = path
		return nil, asError([]Problem{*fault}, path)
	}
	return w.finished(d, w.readFile(text, d))
}

// Defaults gives what holds without an agent file. Relative paths start from env.Dir. Only
// environment variables can be wrong.
func Defaults(env Env) (*File, error) {
	d := newDraft()
	d.Dir = env.Dir
	return newWalker("", env.Dir, env).finished(d, found{})
}

func newWalker(path, dir string, env Env) *walker {
	return &walker{file: path, dir: dir, env: env, open: map[*yaml.Node]bool{}, left: maxWork}
}

func newDraft() *draft {
	d := &draft{}
	agentFile().preset(d)
	return d
}

// readFile reads the keys of an agent file's text into a draft. It returns nil for a text that
// has none to read.
func (w *walker) readFile(text string, d *draft) found {
	w.src = newSource(text)
	documents, fault := parse(w.src)
	switch {
	case fault != nil:
		fault.File = w.file
		w.problems = append(w.problems, *fault)
		return nil
	case len(documents) == 0, len(documents) == 1 && isNothing(documents[0]):
		w.problem(&yaml.Node{}, "the file is empty — write {} for an agent with all defaults")
		return nil
	case len(documents) > 1:
		w.problem(documents[1], "a second document begins here: one file describes one agent")
	}
	of := agentFile()
	keys, ok := readObject(w, documents[0], &spec{kind: kindObject, object: &of.rules}, of, d)
	if !ok {
		return nil
	}
	return keys
}

// finished ends with either a file or its problems. keys is nil when the file's keys couldn't be
// read: then only the environment is looked at.
func (w *walker) finished(d *draft, keys found) (*File, error) {
	w.finish(d, keys)
	if err := asError(w.problems, w.file); err != nil {
		return nil, err
	}
	f := d.File
	f.secrets, f.Warnings = longestFirst(w.secrets), w.warnings
	return &f, nil
}
