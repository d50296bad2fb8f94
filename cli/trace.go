package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/queuefile"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/trace"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/replay"
)

func traceCommand() *cobra.Command {
	var o access.Options
	var form *string
	var folder, from, queue string
	var since time.Duration
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Write down the jobs that have ended, for takt sim to replay",
		Long: `Write down the jobs that have ended, as a folder that takt sim reads: when each came,
how much it did, how fast it was at each size, its deadline; and the queues as they
are now. takt sim replays them with more GPUs or fewer, and with other queues. Jobs
that were never measured are marked as guesses: they are taken to need as long as they
took, at the one size that they had for longest. Jobs that have failed count with what
they did, and without their deadline.

The operator keeps the last 1000 jobs of each namespace (records.keep in its settings).
It takes the right to list configmaps where it runs. On a volume it keeps more, by
month: --from names that folder where it is mounted, or what takt trace -o json has
written there.`,
		Example: `  takt trace --to month
  takt trace --to week --since 168h --queue research
  takt trace -n team-a -o json
  takt trace --from records.json --to year`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			which := trace.Jobs{Queue: queue}
			if since > 0 {
				which.Since = time.Now().Add(-since)
			}
			if flag := cmd.Flags().Lookup("namespace"); flag.Changed {
				which.Namespace = flag.Value.String()
			}
			if from != "" { // what was kept elsewhere may be of another cluster, with other queues
				chosen, bad, err := trace.Read(from, cmd.InOrStdin(), which)
				if err != nil {
					return err
				}
				return writeTrace(cmd, *form, folder, nil, chosen, bad)
			}
			c, err := o.Open()
			if err != nil {
				return err
			}
			all, bad, err := c.Records(cmd.Context())
			if err != nil {
				return err
			}
			chosen := slices.DeleteFunc(all, func(r records.Record) bool { return !which.Has(r) })
			return writeTrace(cmd, *form, folder, c, chosen, bad)
		},
	}
	cmd.Flags().StringVar(&folder, "to", "trace", "`folder` to write, which must be empty or not be there yet")
	cmd.Flags().StringVar(&from, "from", "", "the `path` of records that were kept elsewhere, - for the standard input")
	cmd.Flags().StringVar(&queue, "queue", "", "the `name` of the queue whose jobs are written; without it those of all")
	cmd.Flags().Var(usage.Duration(&since), "since", "how long ago jobs may have ended; without it all that are on record")
	form = printed(cmd, asText, usage.AsJSON, usage.AsYAML)
	o.BindOperatorNamespace(cmd.Flags())
	return prepare(cmd, &o)
}

// noneOf says that no job is such as the flags want it, and which flags these are.
func noneOf(cmd *cobra.Command) error {
	var given []string
	for _, flag := range []string{"since", "queue", "namespace"} {
		if cmd.Flags().Changed(flag) {
			given = append(given, "--"+flag)
		}
	}
	if len(given) == 0 {
		return errors.New("no job is on record: try again once one has ended, and see that records.keep is not 0 in the " +
			"settings of the operator")
	}
	return fmt.Errorf("no job that is on record is such a one: leave out %s", strings.Join(given, " or "))
}

// writeTrace prints the records, or writes them as a trace, with the queues of the cluster that they are of, if any.
func writeTrace(cmd *cobra.Command, form, folder string, c *access.Cluster, chosen []records.Record, bad int) error {
	if bad > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "Left out, as nobody can read it: %s.\n", elastic.CountOf(bad, "record"))
	}
	if len(chosen) == 0 {
		return noneOf(cmd)
	}
	if done, err := show.Structured(cmd.OutOrStdout(), form, chosen); done {
		return err
	}
	t := replay.Make(chosen)
	if len(t.Jobs) < 2 {
		return errors.New("none of the jobs that are on record was seen to run: try again once one has")
	}
	var queues queuefile.Queues
	if c != nil {
		if there, err := c.Queues(cmd.Context()); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "Left out, as they cannot be read: the queues: %v.\n", err)
		} else {
			queues = queuefile.From(there)
		}
	}
	if err := trace.Write(folder, t, queues); err != nil {
		return err
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), usage.Called(trace.Summary(folder, chosen, t, queues)))
	return err
}
