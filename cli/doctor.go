package cli

import (
	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/doctor"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/usage"
)

func doctorCommand() *cobra.Command {
	var o access.Options
	var form *string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look whether all is installed and alive, and which jobs are not safe",
		Long: `Look whether all that Takt needs is installed and alive, whether you and the operator
have the rights that it takes, which jobs are not as safe as they could be, and what
Takt cannot read of them. Each finding says what to do. The jobs are all that you may
see, or with -n those of one namespace.

ok is as it should be, unknown could not be seen by you, note could be better, and
broken does not work before it is mended. The exit code is 3 if anything is broken.`,
		Example: `  takt doctor
  takt doctor -n team-a
  takt doctor -o json`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.Open()
			if err != nil {
				return err
			}
			namespace := "" // all that may be seen, unless one is asked for
			if cmd.Flags().Changed("namespace") {
				namespace = c.Namespace
			}
			facts, err := gather(cmd.Context(), c, namespace)
			if err != nil {
				return err
			}
			findings := doctor.Examine(facts)
			done, err := show.Structured(cmd.OutOrStdout(), *form, findings)
			if !done {
				err = findings.Write(cmd.OutOrStdout())
			}
			if err == nil && findings.Broken() > 0 {
				err = usage.ErrFound
			}
			return err
		},
	}
	form = printed(cmd, asText, usage.AsJSON, usage.AsYAML)
	o.BindOperator(cmd.Flags())
	_ = cmd.Flags().MarkHidden("snapshot")
	return prepare(cmd, &o)
}
