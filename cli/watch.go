package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/tables"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/told"
)

// answerWithin is how long the cluster may take to tell of its jobs.
const answerWithin = 30 * time.Second

// drawing shows the jobs that were seen last, and why they could not be seen since, if so.
type drawing func(jobs []v1alpha1.ElasticJob, failed error) error

// live shows the list until it is interrupted.
func (l *list) live(ctx context.Context, c *access.Cluster, w, complaints io.Writer) error {
	if *l.form != usage.AsTable && *l.form != asWide {
		return usage.Misuse("--watch is for people: leave -o %s out, or have kubectl get elasticjobs --watch -o %s",
			*l.form, *l.form)
	}
	draw := l.printChanges(w, complaints)
	if file, ok := w.(*os.File); ok {
		if screen := show.NewScreen(file); screen.Live() {
			draw = l.redraw(screen)
		}
	}
	return l.follow(ctx, c, draw)
}

// follow looks again and again. Only the first look has to succeed: whoever watches for hours wants to go on once the
// cluster answers again.
func (l *list) follow(ctx context.Context, c *access.Cluster, draw drawing) error {
	var seen []v1alpha1.ElasticJob
	for first := true; ; first = false {
		within, cancel := context.WithTimeout(ctx, answerWithin)
		jobs, err := l.jobs(within, c)
		cancel()
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it was interrupted, as it is meant to be
		}
		if err != nil && first {
			return err
		}
		if err == nil {
			seen = jobs
		}
		if err := draw(seen, err); err != nil {
			return err
		}
		l.pause(ctx, max(l.every, 100*time.Millisecond))
	}
}

// pause waits, unless it is interrupted.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// canvas is a terminal.
type canvas interface {
	Show(lines, table []string)
	Width() (int, bool)
	Height() int
}

// redraw draws the list in its place.
func (l *list) redraw(screen canvas) drawing {
	var at time.Time
	return func(jobs []v1alpha1.ElasticJob, failed error) error {
		rows, err := tableLines(tables.Jobs(jobs, l.look()))
		if err != nil {
			return err
		}
		width, _ := screen.Width()
		var head []string
		if failed == nil {
			at = l.now()
		} else {
			head = strings.Split(show.Wrapped("Since "+at.Format(time.TimeOnly)+" "+failed.Error(), "", width), "\n")
		}
		head = append(head, at.Format("15:04:05 ")+told.Summary(jobs), "")
		lines := slices.Concat(head, rows)
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

// printChanges prints a line for each job whenever it is not as it was.
func (l *list) printChanges(w, complaints io.Writer) drawing {
	said, failure := map[string]string{}, ""
	first := true
	return func(jobs []v1alpha1.ElasticJob, failed error) error {
		if failed != nil {
			if failure != failed.Error() {
				failure = failed.Error()
				show.Say(complaints, "takt: %s\n", failure)
			}
			return nil
		}
		failure = ""
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
