package lsp

import (
	"net/url"
	"path/filepath"
	"strings"
)

// toURI is the file URI of an absolute path.
func toURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/x
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// toPath is the path of a file URI; ok is false for other URIs. Servers escape more or less than we
// do, so URIs are only compared as paths.
func toPath(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	path = u.Path
	if len(path) >= 3 && path[0] == '/' && path[2] == ':' && filepath.Separator == '\\' {
		path = strings.ToUpper(path[1:2]) + path[2:]
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}

// shown is a path as the model reads it: relative inside of the project, absolute elsewhere.
func shown(root, path string) string {
	if rel, ok := within(root, path); ok {
		return rel
	}
	// Servers may answer with the folder that a link leads to.
	if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
		if rel, ok := within(real, path); ok {
			return rel
		}
	}
	return path
}

func within(root, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(root, path)
	return rel, err == nil && filepath.IsLocal(rel)
}
