package acp_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/internal/acp"
)

// stdinEnv makes the test's own program one that keeps its stdin private.
const stdinEnv = "ACP_PRIVATE_STDIN"

// privateEnv makes the test's own program one that keeps its stdout private.
const privateEnv = "ACP_PRIVATE_STDOUT"

func TestMain(m *testing.M) {
	if os.Getenv(privateEnv) != "" {
		if err := printAround(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(stdinEnv) != "" {
		if err := readAside(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// readAside prints what it reads from its private stdin, what a child reads from the common one, and
// ends a read by closing.
func readAside() error {
	in := acp.PrivateStdin(os.Stdin)
	child := exec.Command("cat")
	child.Stdin = os.Stdin
	out, err := child.Output()
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		return err
	}
	fmt.Printf("%q, a child %q", line, out)
	ended := make(chan error, 1)
	go func() {
		_, err := in.Read(make([]byte, 1))
		ended <- err
	}()
	if err := in.Close(); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("a read under way ended with %v", err)
	}
	return nil
}

// printAround prints in every way there is, and writes one frame.
func printAround() error {
	real, _ := os.Readlink("/proc/self/fd/1") // only Linux has it
	stdout, err := acp.PrivateStdout()
	if err != nil {
		return err
	}
	fmt.Println("printed")
	child := exec.Command("sh", "-c", "echo by a child; ls -l /proc/self/fd 2>/dev/null || true")
	child.Stderr = os.Stderr
	out, err := child.Output()
	if err != nil {
		return err
	}
	if real != "" && bytes.Contains(out, []byte(real)) {
		return fmt.Errorf("the real stdout %s is open in a child:\n%s", real, out)
	}
	child = exec.Command("sh", "-c", "echo by a child")
	child.Stdout = os.Stdout
	if err := child.Run(); err != nil {
		return err
	}
	_, err = stdout.WriteString("frame\n")
	return err
}

func runPrivateStdout(t *testing.T) (out, errOut string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), privateEnv+"=1")
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, e.String())
	}
	return o.String(), e.String()
}
