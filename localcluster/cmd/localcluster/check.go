package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/localcluster"
)

func check(in opener) *cobra.Command {
	var packages bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say what keeps this machine from having real nodes; fails if anything does",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if packages {
				for _, name := range localcluster.MissingPackages() {
					fmt.Fprintln(cmd.OutOrStdout(), name)
				}
				return nil
			}
			cluster, err := in(cmd)
			if err != nil {
				return err
			}
			if err := cluster.CheckRealNodes(); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), "This machine can have real nodes: localcluster up --kubelets 2")
			return nil
		},
	}
	cmd.Flags().BoolVar(&packages, "packages", false,
		"only list the packages of Debian that are missing, one a line, and do not fail")
	return cmd
}
