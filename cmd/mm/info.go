package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/ui"
)

func newSchema(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of agent files",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := o.out.Write(agents.Schema())
			return err
		},
	}
}

func newAgents(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "agents",
		Short: "List the agents that can be asked",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			e, _, done, err := o.open(io.Discard)
			if err != nil {
				return err
			}
			defer done()
			_, err = fmt.Fprintln(o.out, ui.Clean(e.DescribeAgents()))
			return err
		},
	}
}
