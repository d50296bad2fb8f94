package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/config/manager"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/version"
)

// starter does the work of the program until the context ends.
type starter func(context.Context, *rest.Config, settings.Settings, logr.Logger) error

func command(work starter) *cobra.Command {
	var config, kubeconfig string
	root := &cobra.Command{
		Use:   "takt-operator",
		Short: "Resizes training jobs so that they meet their deadlines",
		Long: `takt-operator resizes training jobs so that they meet their deadlines.

It runs in the cluster that it looks after, or outside of it with --kubeconfig.
What may be chosen is in one file; takt-operator config prints it with every
default and what it is for.`,
		Example: `  takt-operator config > takt.yaml
  # outside of the cluster, with leaderElection.namespace in takt.yaml
  takt-operator --config takt.yaml --kubeconfig ~/.kube/config`,
		Version:           version.Of(),
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &misuseError{fmt.Sprintf("there is no command %q: see %s --help", args[0], cmd.Name())}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return operate(cmd.Context(), config, kubeconfig, cmd.ErrOrStderr(), work)
		},
	}
	root.Flags().StringVar(&config, "config", "", "`file` with the settings; without it, all have their defaults")
	root.Flags().StringVar(&kubeconfig, "kubeconfig", "",
		"`file` that says how to reach the cluster; without it, KUBECONFIG, else the cluster that the program runs in")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &misuseError{fmt.Sprintf("%v: see %s --help", err, cmd.CommandPath())}
	})
	root.AddCommand(configCommand(), removeCommand())
	return root
}

func configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the default settings, with what each is for",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), manager.DefaultConfiguration)
			return err
		},
	}
}

func operate(ctx context.Context, config, kubeconfig string, log io.Writer, work starter) error {
	s := settings.Default()
	if config != "" {
		var err error
		if s, err = settings.Load(config); err != nil {
			return err
		}
	}
	s, err := s.InstalledWith(os.Getenv(settings.AgentImageVariable), version.Of())
	if err != nil {
		return err
	}
	logger := newLogger(s.Log, log)
	logEverythingTo(logger)
	cluster, err := connect(kubeconfig, s.API)
	if err != nil {
		return err
	}
	logger.Info("Starting", "version", version.Of(), "cluster", cluster.Host, "config", config,
		"agent", s.AgentDefault().Image)
	return work(ctx, cluster, s, logger)
}

// misuseError is a mistake in how the program was called.
type misuseError struct{ sentence string }

func (e *misuseError) Error() string { return e.sentence }

func exitCode(err error) int {
	if _, misused := errors.AsType[*misuseError](err); misused {
		return exitMisused
	}
	return exitFailed
}
