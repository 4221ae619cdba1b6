package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version, the commit, and what built it",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprintln(o.out, describeBuild(version, info))
			return err
		},
	}
}

// describeBuild is the version in a line. What Go noted about the build may be nil.
func describeBuild(version string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	if info != nil {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	commit := settings["vcs.revision"]
	switch {
	case commit == "":
		commit = "unknown commit" // go run, and go install of a version, note none
	case settings["vcs.modified"] == "true":
		commit = "commit " + short(commit) + " with changes"
	default:
		commit = "commit " + short(commit)
	}
	if info != nil && settings["vcs.revision"] == "" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		commit = "module " + info.Main.Version
	}
	return fmt.Sprintf("mm %s (%s, %s, %s/%s)", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func short(commit string) string { return commit[:min(len(commit), 12)] }
