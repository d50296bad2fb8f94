package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
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
	access.Options
	everywhere, watch bool
	every             time.Duration
	form              *string
}

func listCommand() *cobra.Command {
	l := &list{every: 2 * time.Second}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the jobs, those first that need to be looked at",
		Long: `List the jobs that Takt looks after, those first that need to be looked at: what is
late or at risk comes before what is well, and what has ended comes last.

WORKERS is how many run of how many it may have, and 2→4/8 where it is to have 4.
DEADLINE and EXPECTED are reckoned from now; SLACK is the time between the two.
With --watch the list is drawn anew in its place, as top does; where the output is no
terminal, a line is printed whenever one has changed.`,
		Example: `  takt list
  takt list -A --watch
  takt list -n team-a -o wide`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := l.Open()
			if err != nil {
				return err
			}
			if l.watch {
				return l.live(cmd.Context(), c, cmd.OutOrStdout())
			}
			return l.once(cmd.Context(), c, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVarP(&l.everywhere, "all-namespaces", "A", false, "list the jobs of all namespaces")
	cmd.Flags().BoolVarP(&l.watch, "watch", "w", false, "go on, and show what changes")
	cmd.Flags().Var(usage.Duration(&l.every), "every", "how often --watch looks")
	l.form = printed(cmd, usage.AsTable, asWide, usage.AsJSON, asYAML)
	return prepare(cmd, &l.Options)
}

func (l *list) jobs(ctx context.Context, c *access.Cluster) ([]v1alpha1.ElasticJob, error) {
	if l.everywhere {
		return c.Jobs(ctx, "")
	}
	return c.Jobs(ctx, c.Namespace)
}

func (l *list) look() tables.Look {
	return tables.Look{Namespaces: l.everywhere, Wide: *l.form == asWide, Now: time.Now()}
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
	if done, err := structured(w, *l.form, typed(whole)); done {
		return err
	}
	if len(jobs) == 0 {
		where := "namespace " + c.Namespace + " (-A lists all)"
		if l.everywhere {
			where = "this cluster"
		}
		fmt.Fprintf(complaints, "Takt looks after no job in %s. takt submit submits one.\n", where)
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

// live shows the list until it is interrupted.
func (l *list) live(ctx context.Context, c *access.Cluster, w io.Writer) error {
	if *l.form != usage.AsTable && *l.form != asWide {
		return usage.Misuse("--watch is for people: leave -o %s out, or have kubectl get elasticjobs --watch -o %s",
			*l.form, *l.form)
	}
	draw := l.lines(w)
	if file, ok := w.(*os.File); ok {
		if screen := show.NewScreen(file); screen.Live() {
			draw = l.redraw(screen)
		}
	}
	tick := time.NewTicker(max(l.every, 100*time.Millisecond))
	defer tick.Stop()
	for {
		jobs, err := l.jobs(ctx, c)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		if err := draw(jobs); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// redraw draws the list in its place.
func (l *list) redraw(screen *show.Screen) func([]v1alpha1.ElasticJob) error {
	return func(jobs []v1alpha1.ElasticJob) error {
		lines, err := tableLines(tables.Jobs(jobs, l.look()))
		if err != nil {
			return err
		}
		width, _ := screen.Width()
		lines = append([]string{time.Now().Format("15:04:05 ") + told.Summary(jobs), ""}, lines...)
		for i := range lines {
			lines[i] = show.Clip(lines[i], width)
		}
		if most := screen.Height() - 1; most > 3 && len(lines) > most {
			lines = append(lines[:most-1], fmt.Sprintf("and %d more: make the terminal taller", len(lines)-most+1))
		}
		screen.Show(nil, lines)
		return nil
	}
}

// lines prints a line for each job whenever it is not as it was.
func (l *list) lines(w io.Writer) func([]v1alpha1.ElasticJob) error {
	said := map[string]string{}
	first := true
	return func(jobs []v1alpha1.ElasticJob) error {
		table := tables.Jobs(jobs, l.look())
		sorted := told.Urgent(jobs)
		rows := table.Rows
		table.Rows = nil
		if !first {
			table.Heads = nil
		}
		first = false
		for i, row := range rows {
			key, is := sorted[i].Namespace+"/"+sorted[i].Name, status(&sorted[i])
			if said[key] != is {
				said[key] = is
				table.Rows = append(table.Rows, row)
			}
		}
		return table.Write(w)
	}
}

// status is what of a job is worth a line.
func status(job *v1alpha1.ElasticJob) string {
	st := job.Status
	return strings.Join([]string{st.Summary.Workers, st.Summary.Progress, string(st.Verdict), string(st.Deadline),
		fmt.Sprint(st.Workers.Desired)}, "|")
}

func tableLines(table show.Columns) ([]string, error) {
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n"), nil
}
