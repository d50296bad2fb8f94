package cli

import (
	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/usage"
)

// Commands are the commands about a cluster.
func Commands() []*cobra.Command {
	return []*cobra.Command{
		listCommand(), whyCommand(), whatifCommand(), timelineCommand(), submitCommand(),
		suspendCommand(), resumeCommand(), queuesCommand(), snapshotCommand(), traceCommand(), doctorCommand(),
	}
}

// How results are printed, beside those of usage.
const (
	asText = "text"
	asWide = "wide"
)

// printed adds the flag that says how results are printed. The first form is the default.
func printed(cmd *cobra.Command, forms ...string) *string {
	form := forms[0]
	usage.Choose(cmd, &form, "output", "o", "how to print the result", forms...)
	return &form
}

// oneJob is for commands about one job.
func oneJob(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return usage.Misuse("the job is missing: name one, as in %s resnet; takt list shows all", cmd.CommandPath())
	}
	return usage.Misuse("%q is one job too many: name one at a time", args[1])
}

// someJobs is for commands about one job or more.
func someJobs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage.Misuse("the job is missing: name one or more, as in %s resnet bert", cmd.CommandPath())
	}
	return nil
}

// prepare adds to a command the flags that say which cluster is meant, and what a shell completes.
func prepare(cmd *cobra.Command, o *access.Options) *cobra.Command {
	cmd.Flags().SortFlags = false
	o.Bind(cmd.Flags())
	for _, flag := range []string{"namespace", "context"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, completeFlag(o, flag))
	}
	if cmd.Flags().Lookup("queue") != nil {
		_ = cmd.RegisterFlagCompletionFunc("queue", completeFlag(o, "queue"))
	}
	cmd.SetUsageTemplate(usageTemplate(cmd.UsageTemplate()))
	return cmd
}

// usageTemplate tells of the flags that help leaves out.
func usageTemplate(template string) string {
	return template + "{{if .HasAvailableLocalFlags}}\nThe flags of kubectl that say how to reach a cluster, such as " +
		"--server, --token and --as, are there as well.\n{{end}}"
}
