package cli

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/tables"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/told"
)

// list is what takt list is asked for.
type list struct {
	cluster           access.Options
	everywhere, watch bool
	every             time.Duration
	form              *string
	now               func() time.Time
	pause             func(context.Context, time.Duration)
}

func listCommand() *cobra.Command {
	l := &list{every: 2 * time.Second, now: time.Now, pause: pause}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the jobs, those first that need to be looked at",
		Long: `List the jobs that Takt looks after, those first that need to be looked at: what is
late or at risk comes before what is well, and what has ended comes last.

WORKERS is how many run of how many it may have, and 1→4/8 where it is to have 4.
DEADLINE and EXPECTED are reckoned from now; SLACK is the time between the two.
With --watch the list is drawn anew in its place, as top does; where the output is no
terminal, a line is printed whenever one has changed. Where the cluster does not answer
for a while, it says so above the list, and goes on.`,
		Example: `  takt list
  takt list -A --watch
  takt list -n team-a -o wide`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := l.cluster.Open()
			if err != nil {
				return err
			}
			if l.watch {
				return l.live(cmd.Context(), c, cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			return l.once(cmd.Context(), c, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVarP(&l.everywhere, "all-namespaces", "A", false, "list the jobs of all namespaces")
	cmd.Flags().BoolVarP(&l.watch, "watch", "w", false, "go on, and show what changes")
	cmd.Flags().Var(usage.Duration(&l.every), "every", "how often --watch looks")
	l.form = printed(cmd, usage.AsTable, asWide, usage.AsJSON, usage.AsYAML)
	return prepare(cmd, &l.cluster)
}

func (l *list) jobs(ctx context.Context, c *access.Cluster) ([]v1alpha1.ElasticJob, error) {
	if l.everywhere {
		return c.Jobs(ctx, "")
	}
	return c.Jobs(ctx, c.Namespace)
}

func (l *list) look() tables.Look {
	return tables.Look{Namespaces: l.everywhere, Wide: *l.form == asWide, Now: l.now()}
}

func (l *list) once(ctx context.Context, c *access.Cluster, w, complaints io.Writer) error {
	jobs, err := l.jobs(ctx, c)
	if err != nil {
		return err
	}
	whole := v1alpha1.ElasticJobList{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ElasticJobList"},
		Items:    told.Urgent(jobs),
	}
	if done, err := show.Structured(w, *l.form, typed(whole)); done {
		return err
	}
	if len(jobs) == 0 {
		where := "namespace " + c.Namespace + " (-A lists all)"
		if l.everywhere {
			where = "this cluster"
		}
		show.Say(complaints, "Takt looks after no job in %s. takt submit submits one.\n", where)
		return nil
	}
	return tables.Jobs(jobs, l.look()).Write(w)
}

// typed gives each job the kind that clients leave out.
func typed(l v1alpha1.ElasticJobList) v1alpha1.ElasticJobList {
	for i := range l.Items {
		l.Items[i].APIVersion, l.Items[i].Kind = v1alpha1.GroupVersion.String(), "ElasticJob"
		l.Items[i].ManagedFields = nil
	}
	return l
}
