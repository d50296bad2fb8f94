package main

import (
	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/usage"
)

// strict has the commands that the library brings refuse what makes no sense, as all others do. They write where the
// program writes, so that it must be known by now.
func strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				if found, left, err := root.Find(args); err != nil || len(left) > 0 {
					unknown := args[len(args)-max(len(left), 1)]
					return usage.Misuse("there is no command %q: see %s --help", unknown, found.CommandPath())
				}
				return nil
			}
		case "completion":
			c.Args = func(c *cobra.Command, args []string) error {
				if len(args) > 0 {
					return usage.Misuse("there is no shell %q that takt can be completed in: see %s --help", args[0],
						c.CommandPath())
				}
				return nil
			}
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
			for _, shell := range c.Commands() {
				shell.Args = usage.NoArguments
			}
		}
	}
}
