package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/cli/why"
)

func whyCommand() *cobra.Command {
	var o access.Options
	var form *string
	cmd := &cobra.Command{
		Use:   "why JOB",
		Short: "Say why a job has its size, what it would need to be on time, and who holds the GPUs",
		Long: `Say in words why a job has its size, how it stands with its deadline, what it would
need to be on time, and who holds the GPUs.

The first two are told by the ElasticJob, which whoever may view the namespace may
read. The others come from the snapshot of the operator, which names the jobs of
all: it takes the ClusterRole takt-snapshot-reader, or a file that somebody else has
made with takt snapshot. Without either they are left out.`,
		Example: `  takt why resnet
  takt why resnet --snapshot snapshot.json`,
		Args:              oneJob,
		ValidArgsFunction: completeJobs(&o, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := o.Open()
			if err != nil {
				return err
			}
			job, err := c.Job(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			of := why.Case{Job: job, Now: time.Now(),
				Asked: o.Asked(job.Namespace, job.Name, c.Namespace, cmd.Flags())}
			if of.Resizes, err = c.Resizes(cmd.Context(), job); err != nil {
				return err
			}
			if s, err := c.Snapshot(cmd.Context(), cmd.InOrStdin(), job.Namespace+"/"+job.Name); err == nil {
				of.Snapshot = &s
			} else {
				of.Unseen = "That cannot be told: " + err.Error() + "."
			}
			if done, err := show.Structured(cmd.OutOrStdout(), *form, of.Facts()); done {
				return err
			}
			return of.Write(cmd.OutOrStdout())
		},
	}
	form = printed(cmd, asText, usage.AsJSON, usage.AsYAML)
	o.BindOperator(cmd.Flags())
	return prepare(cmd, &o)
}
