package main

import (
	"github.com/spf13/cobra"
)

// complete adds what a shell can complete beside the names of flags and commands.
func complete(c *cobra.Command, o *options) {
	// The names are those of flags that newRoot has just made: no other error is there to come.
	_ = c.RegisterFlagCompletionFunc("ask", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		f, _, err := o.load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, name := range f.EntryNames() {
			names = append(names, cobra.CompletionWithDesc(name, f.MMConfigs[name].Description))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	_ = c.RegisterFlagCompletionFunc("resume", o.completeSessions)
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json", "events"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions([]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.MarkFlagDirname("cwd")
	_ = c.MarkFlagFilename("config", "yaml", "yml")
}
