package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func command() *cobra.Command {
	root := &cobra.Command{
		Use:   "takt",
		Short: "Finds the workers that training jobs need to meet their deadlines",
		Long: `Takt finds the workers that training jobs need to meet their deadlines.

These commands need no cluster: they ask the planner, the simulator and the
predictor directly, on files.`,
		Example: `  takt plan --file docs/examples/snapshot.json
  takt sim --trace docs/examples/jobs.csv --throughputs docs/examples/speeds --gpus 16
  takt predict --data docs/examples/speeds/bert.csv`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse("there is no command %q: see %s --help", args[0], cmd.Name())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(explain)
	root.AddCommand(simCommand(), planCommand(), predictCommand())
	return root
}

// misuseError is a mistake in how the program was called.
type misuseError struct{ sentence string }

func (e *misuseError) Error() string { return e.sentence }

func misuse(format string, args ...any) error { return &misuseError{fmt.Sprintf(format, args...)} }

// noArguments is for commands that take flags alone.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse("%q belongs to no flag: see %s --help", args[0], cmd.CommandPath())
	}
	return nil
}

// explain says what is wrong with a flag in a sentence that names it, its value and what is allowed.
func explain(cmd *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		allowed := errors.Unwrap(wrong)
		if wrong.GetFlag().Value.Type() == "bool" {
			allowed = errors.New("it must be true or false")
		}
		return misuse("--%s is %q: %v", wrong.GetFlag().Name, wrong.GetValue(), allowed)
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		flag := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			flag = "-" + unknown.GetSpecifiedName()
		}
		return misuse("there is no flag %s: see %s --help", flag, cmd.CommandPath())
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return misuse("--%s needs a value: %s", missing.GetFlag().Name, missing.GetFlag().Usage)
	}
	return misuse("%v", err)
}
