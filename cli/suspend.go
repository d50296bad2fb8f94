package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/operator/kind/written"
)

func suspendCommand() *cobra.Command {
	var o access.Options
	cmd := &cobra.Command{
		Use:   "suspend JOB...",
		Short: "Stop a job, and keep it stopped until it is resumed",
		Long: `Stop a job: its workers go, its GPUs are free for others, and Takt leaves it stopped
until somebody resumes it. It goes on from its last checkpoint then, so what was
trained since is lost. Its deadline stays what it is.`,
		Example:           `  takt suspend resnet`,
		Args:              someJobs,
		ValidArgsFunction: completeJobs(&o, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			return each(cmd, &o, args, suspend)
		},
	}
	return prepare(cmd, &o)
}

func resumeCommand() *cobra.Command {
	var o access.Options
	byHand := false
	cmd := &cobra.Command{
		Use:   "resume JOB...",
		Short: "Let a job go on that somebody has suspended",
		Long: `Let a job go on that somebody has suspended. It starts at the size that it was written
for or had last, and Takt goes on with it.

A job that Takt has stopped, or has not started yet, waits for its turn, and resuming
it would be at the cost of others: that takes --by-hand, and Takt leaves the job the
size that it has from then on (annotation takt.dev/hold).`,
		Example: `  takt resume resnet`,
		Args:    someJobs, ValidArgsFunction: completeJobs(&o, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			return each(cmd, &o, args, func(ctx context.Context, c *access.Cluster, job *v1alpha1.ElasticJob,
				asked string) (string, error) {
				return resume(ctx, c, job, asked, byHand)
			})
		},
	}
	cmd.Flags().BoolVar(&byHand, "by-hand", false, "start a job that waits for Takt, and keep its size from then on")
	return prepare(cmd, &o)
}

// deed is what is done to a job, which other commands are asked for as is said there. It says what has come of it.
type deed func(ctx context.Context, c *access.Cluster, job *v1alpha1.ElasticJob, asked string) (string, error)

// each does something to jobs, one after the other, and goes on where one cannot be done.
func each(cmd *cobra.Command, o *access.Options, names []string, do deed) error {
	c, err := o.Open()
	if err != nil {
		return err
	}
	once := func(name string) (string, error) {
		job, err := c.Job(cmd.Context(), name)
		if err != nil {
			return "", err
		}
		return do(cmd.Context(), c, job, o.Asked(job.Namespace, job.Name, c.Namespace, cmd.Flags()))
	}
	var failed []error
	for _, name := range names {
		said, err := once(name)
		for tries := 1; apierrors.IsConflict(err) && tries < conflicts; tries++ {
			said, err = once(name)
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		show.Say(cmd.OutOrStdout(), "%s\n", said)
	}
	return errors.Join(failed...)
}

// conflicts is how often in a row a job may have been written by others between being read and being changed. Its
// controller writes it all the time, and so does Takt, and what they write may change what is to be done.
const conflicts = 10

func suspend(ctx context.Context, c *access.Cluster, job *v1alpha1.ElasticJob, asked string) (string, error) {
	training, err := c.Training(ctx, job)
	switch {
	case err != nil:
		return "", err
	case job.Status.Over():
		return fmt.Sprintf("%s has ended: there is nothing to suspend.", job.Name), nil
	case isSuspended(training) && bySomebody(job, training):
		return fmt.Sprintf("%s is suspended already.", job.Name), nil
	case isSuspended(training):
		return "", fmt.Errorf("%s has no workers and waits for Takt to start it, and Takt knows no way to have it "+
			"wait longer: suspend it once it runs, or delete %s and submit it again later", job.Name, job.Spec.JobRef)
	}
	if err := c.Suspend(ctx, training, true); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is suspended: its workers go. takt resume %s lets it go on.", job.Name, asked), nil
}

func resume(ctx context.Context, c *access.Cluster, job *v1alpha1.ElasticJob, asked string,
	byHand bool) (string, error) {
	training, err := c.Training(ctx, job)
	switch {
	case err != nil:
		return "", err
	case job.Status.Over():
		return fmt.Sprintf("%s has ended: there is nothing to resume.", job.Name), nil
	case !isSuspended(training):
		return fmt.Sprintf("%s is not suspended.", job.Name), nil
	case !bySomebody(job, training) && !byHand:
		return "", fmt.Errorf("%s was not suspended by anybody: it waits for Takt to start it. takt why %s says for what; "+
			"takt resume --by-hand %s starts it all the same, and Takt leaves it its size then", job.Name, asked, asked)
	}
	if err := c.Suspend(ctx, training, false); err != nil {
		return "", err
	}
	if !bySomebody(job, training) {
		return fmt.Sprintf("%s is started by hand, and keeps its size until the annotation takt.dev/hold is taken off %s.",
			job.Name, job.Spec.JobRef), nil
	}
	return fmt.Sprintf("%s is resumed: Takt goes on with it.", job.Name), nil
}

// bySomebody says of a suspended job that it is not Takt that has suspended it: as Takt says, or since Takt has said
// last that nobody had.
func bySomebody(job *v1alpha1.ElasticJob, training *unstructured.Unstructured) bool {
	return (job.Status.SuspendedByUser() || job.Status.NotSuspended()) && !written.StoppedByTakt(training)
}

func isSuspended(training *unstructured.Unstructured) bool {
	kind, known := written.KindOf(training.GroupVersionKind())
	if !known {
		return false
	}
	suspended, _, _ := unstructured.NestedBool(training.Object, kind.Suspend...)
	return suspended
}
