package agents

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestSearchOrder takes the first files away one by one.
func TestSearchOrder(t *testing.T) {
	w := newWorld(t, "given.yaml", "{}", "env.yaml", "{}", "mm.yaml", "{}", "xdg/mm/mm.yaml", "{}", "home/.config/mm/mm.yaml", "{}")
	w.set("MM_CONFIG", "env.yaml", "XDG_CONFIG_HOME", filepath.Join(w.dir, "xdg"))
	want := func(explicit, path string, found bool) {
		t.Helper()
		got, ok, err := Find(explicit, w.env())
		if err != nil || ok != found || got != path {
			t.Errorf("Find(%q) = %q, %t, %v; want %q, %t", explicit, got, ok, err, path, found)
		}
	}
	want("given.yaml", "given.yaml", true)
	want("", "env.yaml", true)
	w.set("MM_CONFIG", "") // empty counts as unset
	want("", "mm.yaml", true)
	remove(t, w.dir, "mm.yaml")
	want("", filepath.Join(w.dir, "xdg", "mm", "mm.yaml"), true)
	w.set("XDG_CONFIG_HOME", "relative") // the specification: to be ignored
	want("", filepath.Join(w.dir, "home", ".config", "mm", "mm.yaml"), true)
	remove(t, w.dir, "home")
	want("", "", false)
}

func remove(t *testing.T, elem ...string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(elem...)); err != nil {
		t.Fatal(err)
	}
}

func TestANamedFileMustBeThere(t *testing.T) {
	w := newWorld(t, "mm.yaml", "{}")
	_, found, err := Find("typo.yaml", w.env())
	if found || err == nil || err.Error() != "typo.yaml: no such file (named by --config)" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("found %t, error %v", found, err)
	}
	w.set("MM_CONFIG", "typo.yaml")
	_, found, err = Find("", w.env())
	if found || err == nil || err.Error() != "typo.yaml: no such file (named by MM_CONFIG)" {
		t.Errorf("found %t, error %v", found, err)
	}
}

func TestALinkThatPointsNowhereIsTheAgentFile(t *testing.T) {
	w := newWorld(t, "home/.config/mm/mm.yaml", "{}")
	if err := os.Symlink("gone.yaml", filepath.Join(w.dir, "mm.yaml")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	path, found, err := Find("", w.env())
	if path != "mm.yaml" || !found || err != nil {
		t.Fatalf("Find = %q, %t, %v", path, found, err)
	}
	w.wantProblems("mm.yaml: no such file")
}

func TestWithoutHome(t *testing.T) {
	dir := t.TempDir()
	if _, found, err := Find("", Env{Dir: dir}); found || err != nil {
		t.Errorf("found %t, error %v", found, err)
	}
	f, err := Defaults(Env{Dir: dir})
	if err != nil || f.SessionsDir != "" {
		t.Errorf("sessions in %q, error %v", f.SessionsDir, err)
	}
}

func TestPathsStartFromTheFile(t *testing.T) {
	w := newWorld(t, "team/jan.yaml", "{mmConfigs: {homer: homer.yaml}, sessionsDir: ../s}")
	f, err := Load(filepath.Join("team", "jan.yaml"), w.env())
	if err != nil {
		t.Fatal(err)
	}
	team := filepath.Join(w.dir, "team")
	if f.Dir != team || f.Path != filepath.Join(team, "jan.yaml") || f.MMConfigs["homer"].Path != filepath.Join(team, "homer.yaml") ||
		f.SessionsDir != filepath.Join(w.dir, "s") {
		t.Errorf("%s %s %s %s", f.Dir, f.Path, f.MMConfigs["homer"].Path, f.SessionsDir)
	}
}

func TestUnreadableFile(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("every file can be read here: Windows, or root")
	}
	w := newWorld(t, "mm.yaml", "{}")
	if err := os.Chmod(filepath.Join(w.dir, "mm.yaml"), 0); err != nil {
		t.Fatal(err)
	}
	w.wantProblems("mm.yaml: the file can't be read: permission denied")
}
