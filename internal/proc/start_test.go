//go:build linux || darwin

package proc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestStreamsGoThrough(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		p := start(t, Spec{
			Path: "sh", Args: []string{"-c", `echo pid $$; cat; echo to stderr >&2; exit 7`},
			StdinPipe: true, StdoutPipe: true, Guard: guard,
		})
		if _, err := io.WriteString(p.Stdin, "from stdin\n"); err != nil {
			t.Fatal(err)
		}
		if err := p.Stdin.Close(); err != nil {
			t.Fatal(err)
		}
		if got, want := readAll(t, p.Stdout), fmt.Sprintf("pid %d\nfrom stdin\n", p.Pid()); got != want {
			t.Errorf("stdout %q, want %q", got, want)
		}
		if got := finished(t, p); got.Code != 7 || got.Signal != 0 || got.String() != "exit status 7" {
			t.Errorf("exit %v", got)
		}
		if got := p.Tail(); got != "to stderr" {
			t.Errorf("tail %q", got)
		}
	})
}

func TestFilesGoThrough(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		p := start(t, Spec{Path: "sh", Args: []string{"-c", "echo a; echo b >&2; cat"}, Stdout: out, Stderr: out, Guard: guard})
		if got := finished(t, p); !got.Success() {
			t.Errorf("exit %v", got)
		}
		data, err := os.ReadFile(out.Name())
		if err != nil || string(data) != "a\nb\n" {
			t.Errorf("%q, %v", data, err)
		}
	})
}

func TestEnvironmentAndFolder(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		dir := t.TempDir()
		p := start(t, Spec{
			Path: "sh", Args: []string{"-c", `echo "$A $PWD"; pwd -P; env | grep -c ^A=`}, Dir: dir, StdoutPipe: true, Guard: guard,
			Env: []string{"A=first", "PATH=" + os.Getenv("PATH"), "A=last"},
		})
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := readAll(t, p.Stdout), "last "+dir+"\n"+real+"\n1\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestNoControllingTerminal(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		p := start(t, Spec{Path: "sh", Args: []string{"-c", ": </dev/tty"}, Guard: guard})
		if finished(t, p).Success() {
			t.Error("/dev/tty could be opened")
		}
		q := start(t, Spec{Path: "cat", StdinPipe: true, Guard: guard})
		here, _ := lookUp(os.Getpid())
		there, ok := lookUp(q.Pid())
		if !ok || there.session == here.session || there.group != q.Pid() {
			t.Errorf("this process %+v, the other %+v", here, there)
		}
	})
}

func TestSignalsAreToldFromStatuses(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		for script, want := range map[string]string{
			"kill -KILL $$": "signal: killed",
			"kill -TERM $$": "signal: terminated",
			"exit 137":      "exit status 137",
			"exit 0":        "exit status 0",
		} {
			p := start(t, Spec{Path: "sh", Args: []string{"-c", script}, Guard: guard})
			if got := finished(t, p).String(); got != want {
				t.Errorf("%s: %s, want %s", script, got, want)
			}
		}
	})
}

// A guard catches signals; the command under it must not inherit that.
func TestSignalsReachTheCommand(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE} {
			if guard == "" && signal.Ignored(s) {
				t.Logf("%v is ignored here, as nohup does, and so in what is started", s)
				continue
			}
			p := start(t, Spec{Path: "sleep", Args: []string{"300"}, Guard: guard})
			if err := syscall.Kill(p.Pid(), s); err != nil {
				t.Fatal(err)
			}
			if got := finished(t, p); got.Signal != s {
				t.Errorf("%v: %v", s, got)
			}
		}
	})
}

func TestNoDescriptorIsInherited(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("descriptors are listed in /proc/self/fd, which this system doesn't have")
	}
	list, err := exec.Command("ls", "/proc/self/fd").Output() // whoever runs the tests may leave some open
	if err != nil {
		t.Fatal(err)
	}
	both(t, func(t *testing.T, guard string) {
		start(t, Spec{Path: "cat", StdinPipe: true, StdoutPipe: true, Guard: guard}) // holds pipes in this process
		p := start(t, Spec{Path: "ls", Args: []string{"/proc/self/fd"}, StdoutPipe: true, Guard: guard})
		got := strings.Fields(readAll(t, p.Stdout))
		if want := strings.Fields(string(list)); !slices.Equal(got, want) {
			t.Errorf("descriptors %v, want %v", got, want)
		}
	})
}

func TestStartFailures(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plainFile := write("plain", "#!/bin/sh\n", 0o644)
	badFirstLine := write("bad", "#!/no/such/interpreter\n", 0o755)
	noFirstLine := write("none", "hello\n", 0o755)
	tests := []struct {
		name, want string
		spec       Spec
		is         error
	}{
		{"not on the PATH", "starting no-such-program: not found on the PATH", Spec{Path: "no-such-program"}, exec.ErrNotFound},
		{"no PATH at all", "starting sh: not found on the PATH", Spec{Path: "sh", Env: []string{}}, exec.ErrNotFound},
		{"no file", "starting /no/such: no such file", Spec{Path: "/no/such"}, fs.ErrNotExist},
		{"relative", "starting ./no: no such file", Spec{Path: "./no", Dir: dir}, fs.ErrNotExist},
		{"folder", "starting " + dir + ": is a folder", Spec{Path: dir}, nil},
		{"not executable", "starting ./plain: not executable (chmod +x makes it so)", Spec{Path: "./plain", Dir: dir}, fs.ErrPermission},
		{"not executable, whole path", "starting " + plainFile + ": not executable (chmod +x makes it so)", Spec{Path: plainFile}, fs.ErrPermission},
		{"interpreter", "starting " + badFirstLine + ": the interpreter that its first line names doesn't exist", Spec{Path: badFirstLine}, fs.ErrNotExist},
		{"no first line", "starting " + noFirstLine + ": not a program of this system, nor a script that begins with #!", Spec{Path: noFirstLine}, syscall.ENOEXEC},
		{"dir missing", "starting sh: the folder /no/such/dir doesn't exist", Spec{Path: "sh", Dir: "/no/such/dir"}, nil},
		{"dir is a file", "starting sh: " + plainFile + " isn't a folder", Spec{Path: "sh", Dir: plainFile}, nil},
		{"too long", "starting sh: argument list too long", Spec{Path: "sh", Args: []string{strings.Repeat("x", 8<<20)}}, syscall.E2BIG},
	}
	both(t, func(t *testing.T, guard string) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				spec := test.spec
				spec.Guard, spec.StdinPipe, spec.StdoutPipe = guard, true, true
				_, err := Start(spec)
				if err == nil || err.Error() != test.want {
					t.Errorf("got  %v\nwant %s", err, test.want)
				}
				if test.is != nil && !errors.Is(err, test.is) {
					t.Errorf("%#v isn't %v", err, test.is)
				}
			})
		}
	})
	t.Run("seen beforehand", func(t *testing.T) {
		for _, test := range tests[:8] {
			if err := Check(test.spec); err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		}
		if err := Check(Spec{Path: "sh"}); err != nil {
			t.Errorf("sh: %v", err)
		}
	})
	t.Run("guard", func(t *testing.T) {
		_, err := Start(Spec{Path: "sh", Guard: "/no/such/guard"})
		if err == nil || !strings.HasPrefix(err.Error(), "starting sh: its guard can't be started: ") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a guard that isn't one", func(t *testing.T) {
		_, err := Start(Spec{Path: "sh", Guard: "/bin/true"})
		if err == nil || !strings.HasPrefix(err.Error(), "starting sh: its guard can't be started: ") {
			t.Errorf("got %v", err)
		}
	})
}

func TestPathIsThatOfTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("#!/bin/sh\nexit 5\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := start(t, Spec{Path: "mine", Env: []string{"PATH=relative:" + dir}})
	if got := finished(t, p).Code; got != 5 {
		t.Errorf("exit status %d", got)
	}
}
