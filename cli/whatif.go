package cli

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/cli/whatif"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/shorthand"
)

// question is what takt whatif is asked.
type question struct {
	cluster                 access.Options
	deadline, workers, gpus string
	form                    *string
}

func whatifCommand() *cobra.Command {
	q := &question{}
	cmd := &cobra.Command{
		Use:   "whatif JOB [--deadline WHEN] [--workers SIZES] [--gpus NUMBER]",
		Short: "Say what would become of a job if something were different, and at whose cost",
		Long: `Say when a job could be finished if it had another deadline, other sizes, or if there
were more or fewer GPUs; and what that would cost others. Nothing is changed.

The planner answers, on the snapshot of the operator: it is the decision that Takt
would make. That takes the ClusterRole takt-snapshot-reader, or a file that somebody
else has made with takt snapshot; with --snapshot no cluster is asked, JOB is
NAMESPACE/NAME as there, and --deadline 4h counts from the moment of that file.`,
		Example: `  takt whatif resnet --deadline 4h
  takt whatif resnet --workers 2-6
  takt whatif resnet --gpus +16
  takt whatif default/resnet --gpus 64 --snapshot snapshot.json`,
		Args:              oneJob,
		ValidArgsFunction: completeJobs(&q.cluster, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer, err := q.ask(cmd.Context(), args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			if done, err := show.Structured(cmd.OutOrStdout(), *q.form, answer); done {
				return err
			}
			return answer.Write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&q.deadline, "deadline", "",
		"`when` it would have to be finished, such as 6h or 2026-11-21T18:00:00Z, or none")
	cmd.Flags().StringVar(&q.workers, "workers", "", "`sizes` that it might have, such as 4 or 2-8")
	cmd.Flags().StringVar(&q.gpus, "gpus", "", "`number` of GPUs that its pool would have, such as 64, or +8 or -8")
	q.form = printed(cmd, asText, usage.AsJSON, usage.AsYAML)
	q.cluster.BindOperator(cmd.Flags())
	return prepare(cmd, &q.cluster)
}

func (q *question) ask(ctx context.Context, name string, stdin io.Reader) (whatif.Answer, error) {
	change, due, err := q.change()
	if err != nil {
		return whatif.Answer{}, err
	}
	if !q.cluster.OfFile() {
		if err := q.date(&change, due, time.Now()); err != nil {
			return whatif.Answer{}, err
		}
		return q.askCluster(ctx, name, change, stdin)
	}
	s, err := q.cluster.File(stdin)
	if err != nil {
		return whatif.Answer{}, err
	}
	// It may have been saved long ago: eight hours count from its moment on.
	if err := q.date(&change, due, coretime.Time(s.Now)); err != nil {
		return whatif.Answer{}, err
	}
	return whatif.Ask(s, name, change)
}

// askCluster asks the operator of a cluster.
func (q *question) askCluster(ctx context.Context, name string, change whatif.Change,
	stdin io.Reader) (whatif.Answer, error) {
	c, err := q.cluster.Open()
	if err != nil {
		return whatif.Answer{}, err
	}
	// Jobs are found before the snapshot is: a name that is misspelt is told at once, and to all.
	job, err := c.Job(ctx, name)
	if err != nil {
		return whatif.Answer{}, err
	}
	name = job.Namespace + "/" + job.Name
	s, err := c.Snapshot(ctx, stdin, name)
	if err != nil {
		return whatif.Answer{}, err
	}
	return whatif.Ask(s, name, change)
}

// date writes the deadline that is asked for at a moment, if any.
func (q *question) date(c *whatif.Change, due *shorthand.Due, now time.Time) error {
	if due == nil {
		return nil
	}
	at := due.From(now)
	if !at.After(now) {
		return usage.Misuse("--deadline is %q, which has passed: give one that is yet to come", q.deadline)
	}
	c.Deadline = new(coretime.Seconds(at))
	return nil
}

// change reads the flags. The deadline means a moment only once it is known when it is asked for.
func (q *question) change() (c whatif.Change, due *shorthand.Due, err error) {
	if q.deadline == "" && q.workers == "" && q.gpus == "" {
		return c, nil, usage.Misuse("what would be different? Give --deadline, --workers or --gpus, or several of them")
	}
	switch q.deadline {
	case "":
	case "none":
		c.BestEffort = true
	default:
		read, err := shorthand.ReadDeadline(q.deadline, nil)
		if err != nil {
			return c, nil, usage.Misuse("--deadline is %q: %v", q.deadline, err)
		}
		due = &read
	}
	if q.workers != "" {
		least, most, err := sizes(q.workers)
		if err != nil {
			return c, nil, err
		}
		c.Least, c.Most = least, most
	}
	if q.gpus != "" {
		n, err := strconv.Atoi(q.gpus)
		if err != nil || n > 1<<20 || n < -(1<<20) {
			return c, nil, usage.Misuse("--gpus is %q: it must be a whole number such as 64, or +8 or -8 for as many "+
				"more or fewer", q.gpus)
		}
		if gpus := elastic.GPUs(n); strings.HasPrefix(q.gpus, "+") || n < 0 {
			c.More = gpus
		} else {
			c.GPUs = &gpus
		}
	}
	return c, due, nil
}

// sizes reads 4 or 2-8.
func sizes(text string) (least, most elastic.Workers, err error) {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	a, errA := strconv.Atoi(strings.TrimSpace(from))
	b, errB := strconv.Atoi(strings.TrimSpace(to))
	if errA != nil || errB != nil || a < 1 || b < a || b > 1<<20 {
		return 0, 0, usage.Misuse("--workers is %q: it must be a number of workers such as 4, or a range such as 2-8", text)
	}
	return elastic.Workers(a), elastic.Workers(b), nil
}
