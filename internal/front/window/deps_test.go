package window

import (
	"os/exec"
	"strings"
	"testing"
)

// TestNothingCostlyAtStart: every mm has the window's packages in it, also a child that is started for
// one question. These would take milliseconds in their init each time.
func TestNothingCostlyAtStart(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path, why := range map[string]string{
		"charm.land/glamour/v2":              "20 ms and 5 MB, with the packages below it",
		"github.com/alecthomas/chroma/v2":    "registers lexers and styles",
		"github.com/yuin/goldmark":           "compiles expressions for each extension",
		"github.com/atotto/clipboard":        "looks for programs on the PATH (bubbles/textarea, textinput)",
		"github.com/microcosm-cc/bluemonday": "compiles expressions",
	} {
		for p := range strings.Lines(string(out)) {
			if p = strings.TrimSpace(p); p == path || strings.HasPrefix(p, path+"/") {
				t.Errorf("%s is among the window's packages: %s", p, why)
			}
		}
	}
}
