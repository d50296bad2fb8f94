package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/takt-dev/takt/cli"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/version"
)

// Groups of commands, as help shows them.
const (
	onCluster = "cluster"
	onDesk    = "desk"
)

// command is the whole program, as it is called by people: takt, or kubectl takt.
func command(name string) *cobra.Command {
	root := &cobra.Command{
		Use:         "takt",
		Annotations: map[string]string{cobra.CommandDisplayNameAnnotation: name},
		Short:       "Finds the workers that training jobs need to meet their deadlines",
		Long: `Takt finds the workers that training jobs need to meet their deadlines.

The exit code is 0 if all is well, 1 if something failed, 2 if the call makes no
sense, 3 if doctor has found something broken, 130 after Ctrl-C, and 143 after
SIGTERM.`,
		Example: `  takt plan --file docs/examples/snapshot.json
  takt sim --trace docs/examples/jobs.csv --throughputs docs/examples/speeds --gpus 16
  takt list --watch
  takt submit -f job.yaml --deadline 6h
  takt why resnet`,
		Version:       version.Of(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage.Misuse("there is no command %q: see %s --help", args[0], cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(usage.Explain)
	root.AddGroup(&cobra.Group{ID: onCluster, Title: "On a cluster:"}, &cobra.Group{
		ID: onDesk, Title: "Without a cluster, on files:",
	})
	add(root, onCluster, cli.Commands()...)
	add(root, onDesk, planCommand(), simCommand(), predictCommand())
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	usage.CalledAs(name, names)
	renamed(root)
	return root
}

func add(root *cobra.Command, group string, commands ...*cobra.Command) {
	for _, c := range commands {
		c.GroupID = group
		root.AddCommand(c)
	}
}

// renamed has the help show the program as it is called.
func renamed(cmd *cobra.Command) {
	for _, text := range []*string{&cmd.Short, &cmd.Long, &cmd.Example} {
		*text = usage.Called(*text)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = usage.Called(f.Usage) })
	for _, c := range cmd.Commands() {
		renamed(c)
	}
}

// calledAs is how people call the program, by the name of its file, and the arguments that this name stands for:
// kubectl runs kubectl-takt for kubectl takt, and kubectl_complete-takt to complete it.
func calledAs(file string) (name string, before []string) {
	switch strings.TrimSuffix(filepath.Base(file), ".exe") {
	case "kubectl-takt":
		return "kubectl takt", nil
	case "kubectl_complete-takt":
		return "kubectl takt", []string{cobra.ShellCompRequestCmd}
	}
	return "takt", nil
}
