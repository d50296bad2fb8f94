package cli

import (
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/timeline"
	"github.com/takt-dev/takt/cli/usage"
)

func timelineCommand() *cobra.Command {
	var o access.Options
	var form *string
	width := 0
	cmd := &cobra.Command{
		Use:   "timeline JOB",
		Short: "Draw the workers of a job over time, how far it is, and its deadline",
		Long: `Draw the workers of a job over time, how far it is, and its deadline: blocks are what it
has had, dots what it is expected to have until it ends. Below are its resizes,
what each was for and what it has cost. Takt keeps the last twenty of a job.`,
		Example: `  takt timeline resnet
  takt timeline resnet --width 120`,
		Args:              oneJob,
		ValidArgsFunction: completeJobs(&o, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := o.Open()
			if err != nil {
				return err
			}
			job, err := c.Job(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			resizes, err := c.Resizes(cmd.Context(), job)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if done, err := show.Structured(out, *form, map[string]any{"job": job,
				"resizes": append([]v1alpha1.Resize{}, resizes...)}); done {
				return err
			}
			return timeline.Life{Job: job, Resizes: resizes, Now: time.Now(), Width: widthOf(out, width)}.Write(out)
		},
	}
	cmd.Flags().Var(usage.Positive(&width), "width", "columns to draw on; without it, as many as the terminal has")
	form = printed(cmd, asText, usage.AsJSON, usage.AsYAML)
	return prepare(cmd, &o)
}

// widthOf is how wide a chart may be.
func widthOf(w io.Writer, asked int) int {
	if asked > 0 {
		return asked
	}
	if file, ok := w.(*os.File); ok {
		if width, live := show.NewScreen(file).Width(); live {
			return width
		}
	}
	return show.LineWidth
}
