package main

import (
	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/snapshot"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/yield"
	"github.com/takt-dev/takt/version"
)

func planCommand() *cobra.Command {
	var file string
	output := usage.AsTable
	cmd := &cobra.Command{
		Use:   "plan --file FILE",
		Short: "Show what the planner decides about a snapshot of a cluster, and why",
		Long: `Show what the planner decides about a snapshot of a cluster, and why: the number
of workers of each job, its verdict, and the resizes in the order in which to make
them. It is the very decision that the operator would make.

A snapshot is JSON. takt snapshot writes that of a cluster, and
` + version.OfRelease().Page("examples/README.md") + `
says what each field means.`,
		Example: `  takt plan --file docs/examples/snapshot.json
  takt plan --file - -o json < snapshot.json`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return usage.Misuse("--file is missing: give the JSON file with the snapshot, or - for standard input")
			}
			s, err := snapshot.Read(file, cmd.InOrStdin())
			if err != nil {
				return err
			}
			d := elastic.Plan(s.Snapshot)
			if done, err := show.Structured(cmd.OutOrStdout(), output, plan{d, begin.Now(s, d), s.Others.Yields(s.Now)}); done {
				return err
			}
			return writePlan(cmd.OutOrStdout(), s, d)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&file, "file", "f", "", "`file` with the snapshot; - is standard input")
	usage.Choose(cmd, &output, "output", "o", "how to print the decision",
		usage.AsTable, usage.AsJSON, usage.AsYAML)
	return cmd
}

// plan is what is decided, and what of it may begin now.
type plan struct {
	elastic.Decision
	Now begin.Beginning `json:"now"`
	// Yields are jobs about which others have settled something.
	Yields []yield.Yield `json:"yields,omitempty"`
}
