package archtest

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mini-me/mm/"

// layers lists the packages from the lowest up, by prefix; the longest prefix counts. A package may
// import only packages of lower layers, and of its own folder.
var layers = []struct {
	layer int
	path  string
	why   string
}{
	{0, "agents", "agent files know nothing of what runs"},
	{0, "consent", "the gate draws nothing and starts nothing"},
	{0, "watchdog", "a leaf"},
	{0, "internal/acp", "the protocol is used by both sides"},
	{0, "internal/llm", "the model's client knows no tools and no turns"},
	{1, "internal/schema", "checks values, knows nobody who asks"},
	{0, "internal/proc", "processes are below all that runs them"},
	{0, "internal/clip", "a leaf"},
	{0, "internal/tty", "the terminal itself"},
	{1, "hooks", "runs commands, knows no tools"},
	{1, "internal/ui", "what a turn tells, on consent's types"},
	{2, "tools", "takes interfaces; never the orchestrator"},
	{2, "child", "one running agent"},
	{3, "orchestrator", "named agents over child"},
	{3, "internal/turn", "model and tools, no front end"},
	{3, "internal/session", "session files"},
	{4, "internal/engine", "all parts of one agent"},
	{5, "internal/front", "only draws and reads"},
	{6, "cmd", "wires"},
	{0, "testdata", "the demo's files"},
	{6, "internal", "tests and tools of the house"},
}

// forbidden are arrows that the layers would allow.
var forbidden = []struct{ from, to, why string }{
	{"tools", "orchestrator", "ask_agent takes a one-method interface that the Supervisor satisfies"},
	{"orchestrator", "tools", "asking agents from another program needs no tools"},
	{"internal/front", "child", "front ends talk to engine.Session"},
	{"internal/front", "orchestrator", "front ends talk to engine.Session"},
	{"internal/front", "internal/proc", "a front end starts nothing"},
	{"internal/front", "hooks", "front ends decide nothing"},
	{"internal/front", "agents", "front ends are told what to show"},
}

type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

func TestImportsPointDown(t *testing.T) {
	for _, p := range list(t) {
		from, ok := strings.CutPrefix(p.ImportPath, module)
		if !ok {
			continue
		}
		for _, imp := range p.Imports {
			to, own := strings.CutPrefix(imp, module)
			if !own || inside(from, to) {
				continue
			}
			if lf, lt := layer(t, from), layer(t, to); lt >= lf {
				t.Errorf("%s imports %s: an arrow that goes up (layer %d to %d)", from, to, lf, lt)
			}
			for _, f := range forbidden {
				if under(from, f.from) && under(to, f.to) {
					t.Errorf("%s imports %s: %s", from, to, f.why)
				}
			}
		}
	}
}

// inside reports whether two packages belong to one folder of the house: tools/web and tools.
func inside(a, b string) bool {
	for _, l := range layers {
		if l.path != "internal" && under(a, l.path) && under(b, l.path) {
			return true
		}
	}
	return false
}

func under(path, prefix string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") }

func layer(t *testing.T, path string) int {
	best, length := -1, -1
	for _, l := range layers {
		if under(path, l.path) && len(l.path) > length {
			best, length = l.layer, len(l.path)
		}
	}
	if best < 0 {
		t.Errorf("%s belongs to no layer: add it to the table", path)
	}
	return best
}

func list(t *testing.T) []pkg {
	cmd := exec.Command("go", "list", "-json", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if !slices.ContainsFunc(all, func(p pkg) bool { return p.ImportPath == module+"cmd/mm" }) {
		t.Fatal("go list did not list cmd/mm")
	}
	return all
}

// TestTopLevel holds the folders that the house has.
func TestTopLevel(t *testing.T) {
	allowed := []string{".ci", ".github", "agents", "child", "cmd", "consent", "docs", "hooks", "internal", "orchestrator", "testdata", "tools", "watchdog"}
	out, err := exec.Command("git", "-C", "../..", "ls-files").Output()
	if err != nil {
		t.Skip("not a git checkout: the top level can't be listed")
	}
	for line := range strings.Lines(string(out)) {
		if dir, _, ok := strings.Cut(strings.TrimSpace(line), "/"); ok && !slices.Contains(allowed, dir) {
			t.Errorf("%s: a folder that the house doesn't have", dir)
		}
	}
}
