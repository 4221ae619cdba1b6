package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// maxSkill bounds what is read of one skill file, in bytes.
const maxSkill = 1 << 20

// Skill is an entry of the catalogue.
type Skill struct{ Name, Description string }

// Skills reads the catalogue of a folder: <name>.md and <name>/SKILL.md, a flat file wins. It is
// sorted by name. A folder that can't be read has none.
func Skills(dir string) []Skill {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	found := map[string]Skill{}
	for _, e := range entries {
		name, flat := strings.CutSuffix(e.Name(), ".md")
		path := filepath.Join(dir, e.Name())
		if !flat {
			name, path = e.Name(), filepath.Join(path, "SKILL.md")
		}
		if _, have := found[name]; have && !flat || name == "" || strings.HasPrefix(name, ".") {
			continue
		}
		if text, err := readSkill(path); err == nil {
			found[name] = Skill{Name: name, Description: describeSkill(text)}
		}
	}
	list := make([]Skill, 0, len(found))
	for _, s := range found {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Skill) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// SkillsMark changes when the catalogue of a folder may have changed. It costs a look at the
// folder, not a read of its files.
func SkillsMark(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			path = filepath.Join(path, "SKILL.md")
		}
		if st, err := os.Stat(path); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", path, st.Size(), st.ModTime().UnixNano())
		}
	}
	return b.String()
}

func readSkill(path string) (string, error) {
	st, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !st.Mode().IsRegular() || st.Size() > maxSkill {
		return "", fmt.Errorf("%s is no file of at most 1 MiB", path)
	}
	b, err := os.ReadFile(path)
	return strings.ToValidUTF8(string(b), "\ufffd"), err
}

// describeSkill is the description of the front matter, else the first heading or line.
func describeSkill(text string) string {
	front, body := frontMatter(text)
	if d := strings.Join(strings.Fields(front.Description), " "); d != "" {
		return d
	}
	return strings.TrimSpace(strings.TrimLeft(FirstLine(body), "#"))
}

type skillFront struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
}

// frontMatter splits off a YAML front matter between two lines of ---.
func frontMatter(text string) (front skillFront, body string) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return front, text
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		if head, ok = strings.CutSuffix(rest, "\n---"); !ok {
			return front, text
		}
		body = ""
	}
	if yaml.Unmarshal([]byte(head), &front) != nil {
		front = skillFront{} // a broken front matter is no reason to hide the skill
	}
	return front, body
}

// ReadSkill is the read_skill tool. Its declaration holds the catalogue as of its making.
type ReadSkill struct {
	dir  string
	max  int
	spec Spec
}

// NewReadSkill returns the tool for a catalogue that isn't empty. Contents are cut to max characters.
func NewReadSkill(dir string, catalogue []Skill, max int) *ReadSkill {
	var b strings.Builder
	b.WriteString("Read instructions for a kind of task, before doing it. Skills:")
	for _, s := range catalogue {
		fmt.Fprintf(&b, "\n  %s — %s", s.Name, s.Description)
	}
	return &ReadSkill{dir: dir, max: max, spec: Spec{
		Name: "read_skill", Description: b.String(), Counter: Counter{"📖", "skill"},
		Parameters: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	}}
}

// Spec declares the tool.
func (t *ReadSkill) Spec() Spec { return t.spec }

// Prepare finds the skill. Only the base name counts: there is no way out of the folder.
func (t *ReadSkill) Prepare(_ context.Context, c Call) Plan {
	var in struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(c.Args, &in); err != nil {
		return Plan{Title: "read_skill", Kind: consent.KindRead, Refused: BadArguments("read_skill", err)}
	}
	p := Plan{Title: in.Name, Line: "📖 read_skill: " + in.Name, Kind: consent.KindRead, Quiet: true}
	base := filepath.Base(filepath.Clean("/" + strings.ReplaceAll(in.Name, `\`, "/")))
	for _, path := range []string{base + ".md", filepath.Join(base, "SKILL.md")} {
		path = filepath.Join(t.dir, path)
		text, err := readSkill(path)
		if err != nil || base == "/" {
			continue
		}
		p.Locations = []consent.Location{{Path: path}}
		p.Run = func(context.Context, ui.Host) Result { return Result{Text: Truncate(text, t.max)} }
		return p
	}
	var names []string
	for _, s := range Skills(t.dir) {
		names = append(names, s.Name)
	}
	p.Refused = fmt.Sprintf("No skill named %q. Available skills: %s", in.Name, strings.Join(names, ", "))
	return p
}
