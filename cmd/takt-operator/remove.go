package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/removal"
	"github.com/takt-dev/takt/operator/settings"
)

func removeCommand() *cobra.Command {
	var kubeconfig string
	var options removal.Options
	remove := &cobra.Command{
		Use:   "remove",
		Short: "Take Takt out of a cluster: no job waits for it afterwards",
		Long: `takt-operator remove takes Takt out of a cluster, so that nothing waits for it
afterwards. It removes the admission policy with its parameters, stops the
operator, resumes the jobs that Takt has suspended or was to start, takes what
Takt has written off them, frees the pods that are held for their gangs, and
removes the ElasticJobs and Resizes. What people have written on jobs stays, but
for schedulerName: takt-scheduler, and so do TrainingQueues and
TrainingProfiles. Then delete what installed Takt.

It may be called again at any time, and goes on with what is left. It needs the
rights of whoever has installed Takt.`,
		Example: `  takt-operator remove --dry-run
  takt-operator remove`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := connect(kubeconfig, settings.Default().API)
			if err != nil {
				return err
			}
			scheme, err := cached.NewScheme()
			if err != nil {
				return err
			}
			c, err := client.New(config, client.Options{Scheme: scheme})
			if err != nil {
				return fmt.Errorf("cannot reach the cluster: %w", err)
			}
			options.Say = cmd.OutOrStdout()
			return removal.Run(cmd.Context(), c, options)
		},
	}
	flags := remove.Flags()
	flags.StringVar(&kubeconfig, "kubeconfig", "", "`file` that says how to reach the cluster; without it, KUBECONFIG")
	flags.StringVar(&options.Namespace, "namespace", "takt-system", "where the operator runs")
	flags.StringVar(&options.Name, "name", "takt-operator", "what its Deployment and its lease are called")
	flags.BoolVar(&options.DryRun, "dry-run", false, "change nothing, and say what would be done")
	flags.DurationVar(&options.Within, "within", 10*time.Minute, "how long it may take")
	return remove
}
