//go:build unix

package tools_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/tools"
)

const oneToTwo = `","edits":[{"old":"one","new":"two"}]}`

func editOne(t *testing.T, dir, name string) (tools.Plan, tools.Result) {
	t.Helper()
	return runFile(t, tools.NewEditFile(tools.FileOptions{}), dir, `{"path":"`+name+oneToTwo)
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// The file at the end of a link is edited, the link stays, and the person sees where it leads.
func TestLinksStay(t *testing.T) {
	dir := t.TempDir()
	target := writeTestFile(t, dir, "real/a.txt", "one\n")
	link(t, "real/a.txt", filepath.Join(dir, "link.txt"))
	link(t, filepath.Join(dir, "link.txt"), filepath.Join(dir, "linklink.txt"))
	p, r := editOne(t, dir, "linklink.txt")
	if r.Failed || p.Title != "linklink.txt → "+target {
		t.Errorf("title %q, result %q", p.Title, r.Text)
	}
	wantFile(t, target, "two\n")
	wantNames(t, filepath.Join(dir, "real"), "a.txt")
	for name, want := range map[string]string{"link.txt": "real/a.txt", "linklink.txt": filepath.Join(dir, "link.txt")} {
		if got, err := os.Readlink(filepath.Join(dir, name)); got != want {
			t.Errorf("%s leads to %q: %v", name, got, err)
		}
	}
}

func TestLinkedFolders(t *testing.T) {
	dir := t.TempDir()
	other := t.TempDir()
	target := writeTestFile(t, other, "a.txt", "one\n")
	link(t, other, filepath.Join(dir, "data"))
	p, r := editOne(t, dir, "data/a.txt")
	if r.Failed || p.Title != "data/a.txt → "+target {
		t.Errorf("title %q, result %q", p.Title, r.Text)
	}
	wantFile(t, target, "two\n")

	// A working folder that is itself behind a link is no news.
	p, r = runFile(t, tools.NewWriteFile(tools.FileOptions{}), filepath.Join(dir, "data"), `{"path":"sub/b.txt","content":"b\n"}`)
	if r.Failed || p.Title != "sub/b.txt" {
		t.Errorf("title %q, result %q", p.Title, r.Text)
	}
}

// A file can be created at the end of a link that leads nowhere yet.
func TestDanglingLink(t *testing.T) {
	dir := t.TempDir()
	link(t, "later/a.txt", filepath.Join(dir, "link.txt"))
	p, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, `{"path":"link.txt","content":"a\n"}`)
	if r.Failed || p.Title != "link.txt → "+filepath.Join(dir, "later/a.txt") {
		t.Errorf("title %q, result %q", p.Title, r.Text)
	}
	wantFile(t, filepath.Join(dir, "later/a.txt"), "a\n")
	if _, err := os.Readlink(filepath.Join(dir, "link.txt")); err != nil {
		t.Error(err)
	}
}

func TestModeAndOwnerStay(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []os.FileMode{0o755, 0o600, 0o640, 0o666, 0o755 | os.ModeSetuid} {
		path := writeTestFile(t, dir, "a.sh", "one\n")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(path, 1234, 2345); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, mode); err != nil { // chown takes setuid away
				t.Fatal(err)
			}
		}
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, r := editOne(t, dir, "a.sh"); r.Failed {
			t.Fatal(r.Text)
		}
		after, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		a, b := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
		if before.Mode() != after.Mode() || a.Uid != b.Uid || a.Gid != b.Gid {
			t.Errorf("mode %v, owner %d:%d; was %v, %d:%d", after.Mode(), b.Uid, b.Gid, before.Mode(), a.Uid, a.Gid)
		}
	}
}

func TestNewFilesGetTheUsualMode(t *testing.T) {
	dir := t.TempDir()
	usual, err := os.Stat(writeTestFile(t, dir, "usual.txt", "x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, `{"path":"a.txt","content":"a\n"}`); r.Failed {
		t.Fatal(r.Text)
	}
	info, err := os.Stat(filepath.Join(dir, "a.txt"))
	if err != nil || info.Mode() != usual.Mode() {
		t.Errorf("mode %v, not %v: %v", info.Mode(), usual.Mode(), err)
	}
}

// Things that aren't files are named, at once: no open of a pipe waits for its other end.
func TestThingsThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	writeTestFile(t, dir, "folder/b.txt", "")
	writeTestFile(t, dir, "folder/sub/c.txt", "")
	writeTestFile(t, dir, "plain", "one\n")
	if err := os.Mkdir(filepath.Join(dir, "void"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	link(t, "circle", filepath.Join(dir, "circle"))
	link(t, "pipe", filepath.Join(dir, "to-pipe"))
	long := strings.Repeat("n", 300)
	const notRegular = " is a named pipe, not a regular file: TOOL doesn't work on it — give the path of a file"
	for name, want := range map[string]string{
		"folder":    "folder is a folder — give the path of a file. It has: b.txt, sub/",
		"void":      "void is a folder — give the path of a file. It has: (nothing)",
		"pipe":      "pipe" + notRegular,
		"to-pipe":   "to-pipe" + notRegular,
		"/dev/null": "/dev/null is a device, not a regular file: TOOL doesn't work on it — give the path of a file",
		"plain/b":   "cannot VERB plain/b: a part of its path is a file, not a folder — check the path",
		"circle":    "cannot VERB circle: its links lead in a circle — give the path of a file",
		long:        "cannot VERB " + long + ": the name is too long — choose a shorter one",
	} {
		o := tools.FileOptions{}
		for _, c := range []struct {
			tool       tools.Tool
			verb, args string
		}{
			{tools.NewReadFile(o), "read", `{"path":"` + name + `"}`},
			{tools.NewWriteFile(o), "write", `{"path":"` + name + `","content":"x"}`},
			{tools.NewEditFile(o), "edit", `{"path":"` + name + oneToTwo},
		} {
			_, r := runFile(t, c.tool, dir, c.args)
			want := strings.NewReplacer("TOOL", c.tool.Spec().Name, "VERB", c.verb).Replace(want)
			if r.Text != want || !r.Failed {
				t.Errorf("%q, want\n%q", r.Text, want)
			}
		}
	}
}

// Files in /proc say that they are empty, and aren't.
func TestReadFileOfUnknownSize(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("no /proc here")
	}
	if _, r := runFile(t, tools.NewReadFile(tools.FileOptions{}), "/", `{"path":"/proc/self/status"}`); r.Failed || !strings.Contains(r.Text, "Name:") {
		t.Errorf("result %q", r.Text)
	}
}

// The old content is what other hard links keep; the comment of Disk says so.
func TestHardLinksKeepTheOldContent(t *testing.T) {
	dir := t.TempDir()
	path := writeTestFile(t, dir, "a.txt", "one\n")
	if err := os.Link(path, filepath.Join(dir, "b.txt")); err != nil {
		t.Skip(err)
	}
	if _, r := editOne(t, dir, "a.txt"); r.Failed {
		t.Fatal(r.Text)
	}
	wantFile(t, path, "two\n")
	wantFile(t, filepath.Join(dir, "b.txt"), "one\n")
}

// Temporary files of a killed mm go with the next write to their file, those at work stay.
func TestOldTemporaryFilesAreSwept(t *testing.T) {
	dir := t.TempDir()
	writeTestFile(t, dir, "a.txt", "one\n")
	left := writeTestFile(t, dir, ".a.txt.mm-00000001.tmp", "half")
	writeTestFile(t, dir, ".a.txt.mm-00000002.tmp", "at work")
	writeTestFile(t, dir, ".b.txt.mm-00000003.tmp", "of another file")
	hourAgo := time.Now().Add(-time.Hour)
	for _, name := range []string{left, filepath.Join(dir, ".b.txt.mm-00000003.tmp")} {
		if err := os.Chtimes(name, hourAgo, hourAgo); err != nil {
			t.Fatal(err)
		}
	}
	if _, r := editOne(t, dir, "a.txt"); r.Failed {
		t.Fatal(r.Text)
	}
	wantNames(t, dir, ".a.txt.mm-00000002.tmp", ".b.txt.mm-00000003.tmp", "a.txt")
}

// TestPermissions runs again as nobody, since root may do everything.
func TestPermissions(t *testing.T) {
	if os.Geteuid() != 0 {
		checkPermissions(t)
		return
	}
	dir, err := os.MkdirTemp("", "mm-permissions-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	exe := filepath.Join(dir, "tools.test")
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Skip("root, and no /proc to run again from")
	}
	if err := os.WriteFile(exe, self, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestPermissions$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "GOCOVERDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestPermissions")) {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}

func checkPermissions(t *testing.T) {
	dir := t.TempDir()
	secret := writeTestFile(t, dir, "secret.txt", "one\n")
	fixed := writeTestFile(t, dir, "fixed.txt", "one\n")
	writeTestFile(t, dir, "closed/a.txt", "one\n")
	closed := filepath.Join(dir, "closed")
	for path, mode := range map[string]os.FileMode{secret: 0, fixed: 0o444, closed: 0o555} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	const ask = " — choose another file, or ask the user to change its permissions"
	o := tools.FileOptions{}
	for _, c := range []struct {
		tool       tools.Tool
		args, want string
	}{
		{tools.NewReadFile(o), `{"path":"secret.txt"}`, "cannot read secret.txt: permission denied" + ask},
		{tools.NewEditFile(o), `{"path":"secret.txt` + oneToTwo, "cannot edit secret.txt: permission denied" + ask},
		{tools.NewWriteFile(o), `{"path":"secret.txt","content":"x"}`, "cannot write secret.txt: permission denied" + ask},
		{tools.NewEditFile(o), `{"path":"fixed.txt` + oneToTwo, "cannot write fixed.txt: permission denied" + ask},
		{tools.NewEditFile(o), `{"path":"closed/a.txt` + oneToTwo, "cannot write closed/a.txt: permission denied for " + closed + ask},
		{tools.NewWriteFile(o), `{"path":"closed/b.txt","content":"x"}`, "cannot write closed/b.txt: permission denied for " + closed + ask},
		{tools.NewWriteFile(o), `{"path":"closed/c/b.txt","content":"x"}`, "cannot write closed/c/b.txt: permission denied for " + closed + ask},
	} {
		_, r := runFile(t, c.tool, dir, c.args)
		if diff := cmp.Diff(c.want, r.Text); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool.Spec().Name, c.args, diff)
		}
	}
	wantFile(t, fixed, "one\n")
	wantNames(t, closed, "a.txt")
}

// A full disk: the file is as it was, and the text says so. A tmpfs of 64 KiB is the disk.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := mountTmpfs(dir); err != nil {
		t.Skipf("a small tmpfs can't be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	path := writeTestFile(t, dir, "a.txt", "one\n")
	big := strings.Repeat("x", 200<<10)
	for args, want := range map[string]string{
		`{"path":"a.txt","content":"` + big + `"}`:       "cannot write a.txt: the disk is full; the file is as it was — free some space, then try again",
		`{"path":"sub/new.txt","content":"` + big + `"}`: "cannot write sub/new.txt: the disk is full; the file is as it was — free some space, then try again",
	} {
		if _, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, args); r.Text != want || !r.Failed {
			t.Errorf("%.300q, want %q", r.Text, want)
		}
	}
	wantFile(t, path, "one\n")
	wantNames(t, dir, "a.txt", "sub")
	wantNames(t, filepath.Join(dir, "sub"))
}
