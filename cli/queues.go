package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/tables"
	"github.com/takt-dev/takt/cli/usage"
)

func queuesCommand() *cobra.Command {
	var o access.Options
	var form *string
	cmd := &cobra.Command{
		Use:   "queues",
		Short: "List the queues: what each is guaranteed, has borrowed, and has promised",
		Long: `List the queues, with GPUs: what each is guaranteed and may have at most, what its jobs
use, how much of that is borrowed, and how much its promises take; and how many of its
jobs run and wait. Where GPUs have a price, also what its jobs have cost so far and will
have cost at their end, and what a deadline has cost that was met.`,
		Example: `  takt queues
  takt queues -o wide`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.Open()
			if err != nil {
				return err
			}
			queues, err := c.Queues(cmd.Context())
			if err != nil {
				return err
			}
			whole := v1alpha1.TrainingQueueList{
				TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "TrainingQueueList"}, Items: queues,
			}
			for i := range whole.Items {
				whole.Items[i].APIVersion, whole.Items[i].Kind = v1alpha1.GroupVersion.String(), "TrainingQueue"
				whole.Items[i].ManagedFields = nil
			}
			if done, err := show.Structured(cmd.OutOrStdout(), *form, whole); done {
				return err
			}
			if len(queues) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(),
					"There is no TrainingQueue: all jobs are in the queue default, which is guaranteed nothing and has no limit.")
				return nil
			}
			return tables.Queues(queues, tables.Look{Wide: *form == asWide, Now: time.Now()}).Write(cmd.OutOrStdout())
		},
	}
	form = printed(cmd, usage.AsTable, asWide, usage.AsJSON, usage.AsYAML)
	return prepare(cmd, &o)
}
