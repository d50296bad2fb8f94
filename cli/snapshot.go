package cli

import (
	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/usage"
)

func snapshotCommand() *cobra.Command {
	var o access.Options
	var form *string
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Print what the operator last planned from",
		Long: `Print what the operator last planned from: all jobs, nodes and queues as the planner
sees them. takt plan makes the same decision of it, and takt why and takt whatif
answer from it, so that it can be given to those who may not read it themselves.

The operator is asked through the API server, on the pod that leads: that takes the
ClusterRole takt-snapshot-reader, and the right to get leases and to create
pods/portforward where it runs.`,
		Example: `  takt snapshot > snapshot.json
  takt snapshot | takt plan --file -`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.Open()
			if err != nil {
				return err
			}
			text, err := c.SnapshotText(cmd.Context())
			if err != nil {
				return err
			}
			if *form == usage.AsYAML {
				if text, err = yaml.JSONToYAML(text); err != nil {
					return err
				}
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	form = printed(cmd, usage.AsJSON, usage.AsYAML)
	o.BindOperator(cmd.Flags())
	_ = cmd.Flags().MarkHidden("snapshot")
	return prepare(cmd, &o)
}
