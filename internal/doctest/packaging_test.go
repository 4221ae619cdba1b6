package doctest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRegistryEntry: what the ACP registry's schema and its checks want of agent.json and the icon,
// and that the addresses are those that a release makes.
func TestRegistryEntry(t *testing.T) {
	type target struct {
		Archive string   `json:"archive"`
		Cmd     string   `json:"cmd"`
		Args    []string `json:"args"`
	}
	var entry struct {
		ID           string   `json:"id"`
		Name         string   `json:"name"`
		Version      string   `json:"version"`
		Description  string   `json:"description"`
		Repository   string   `json:"repository"`
		Authors      []string `json:"authors"`
		License      string   `json:"license"`
		Distribution struct {
			Binary map[string]target `json:"binary"`
		} `json:"distribution"`
	}
	dec := json.NewDecoder(strings.NewReader(read(t, "docs/packaging/acp-registry/agent.json")))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&entry); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[a-z][a-z0-9-]*$`).MatchString(entry.ID) || !regexp.MustCompile(`^\d+\.\d+\.\d+`).MatchString(entry.Version) ||
		entry.Name == "" || entry.Description == "" || entry.License != "MIT" {
		t.Errorf("%+v", entry)
	}
	for platform, suffix := range map[string]string{
		"darwin-aarch64": "darwin_arm64.tar.gz", "darwin-x86_64": "darwin_amd64.tar.gz", "linux-aarch64": "linux_arm64.tar.gz",
		"linux-x86_64": "linux_amd64.tar.gz", "windows-x86_64": "windows_amd64.zip",
	} {
		b := entry.Distribution.Binary[platform]
		want := entry.Repository + "/releases/download/v" + entry.Version + "/mm_" + entry.Version + "_" + suffix
		if b.Archive != want || b.Cmd == "" || len(b.Args) != 1 || b.Args[0] != "-acp" {
			t.Errorf("%s: %+v, want %s", platform, b, want)
		}
	}
	if len(entry.Distribution.Binary) != 5 {
		t.Errorf("%d platforms, want 5", len(entry.Distribution.Binary))
	}
}

// TestRegistryIcon: 16 by 16, and no colour of its own.
func TestRegistryIcon(t *testing.T) {
	icon := read(t, "docs/packaging/acp-registry/icon.svg")
	for _, want := range []string{`width="16"`, `height="16"`, `viewBox="0 0 16 16"`, "currentColor"} {
		if !strings.Contains(icon, want) {
			t.Errorf("the icon has no %s", want)
		}
	}
	for _, m := range regexp.MustCompile(`(?:fill|stroke)="([^"]*)"`).FindAllStringSubmatch(icon, -1) {
		if m[1] != "currentColor" && m[1] != "none" {
			t.Errorf("the icon has the colour %s", m[1])
		}
	}
	wellFormed(t, icon)
	wellFormed(t, read(t, "docs/demo.svg"))
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Error(err)
			return
		}
	}
}

// TestReleaseConfiguration: what a release takes along is there, for the five platforms.
func TestReleaseConfiguration(t *testing.T) {
	var c struct {
		Version int
		Builds  []struct {
			Main         string
			Goos, Goarch []string
			Ignore       []struct{ Goos, Goarch string }
		}
		Archives []struct{ Files []yaml.Node }
	}
	if err := yaml.NewDecoder(bytes.NewReader([]byte(read(t, ".goreleaser.yaml")))).Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.Version != 2 || len(c.Builds) != 1 || len(c.Builds[0].Goos)*len(c.Builds[0].Goarch)-len(c.Builds[0].Ignore) != 5 {
		t.Errorf("%+v", c)
	}
	for _, f := range c.Archives[0].Files {
		name := f.Value
		if f.Kind == yaml.MappingNode {
			name = f.Content[1].Value
		}
		if !strings.HasPrefix(name, "completions/") {
			read(t, name)
		}
	}
}

// TestImageHasNoRoot: the image runs as a user without rights.
func TestImageHasNoRoot(t *testing.T) {
	last := ""
	for line := range strings.Lines(read(t, "Dockerfile")) {
		if user, ok := strings.CutPrefix(strings.TrimSpace(line), "USER "); ok {
			last = user
		}
	}
	if last != "1000:1000" {
		t.Errorf("the image runs as %q", last)
	}
}
