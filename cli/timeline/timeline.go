package timeline

import (
	"fmt"
	"io"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
)

// Life is what is drawn.
type Life struct {
	Job     *v1alpha1.ElasticJob
	Resizes []v1alpha1.Resize // the first of them first
	Now     time.Time
	Width   int
}

// margin is what is left of the chart.
const margin = 9

// Write draws it.
func (l Life) Write(w io.Writer) error {
	var b strings.Builder
	st := l.Job.Status
	fmt.Fprintf(&b, "%s: %s, %d of %d to %d workers, %s\n\n", l.Job.Name, l.Job.Spec.JobRef, st.Workers.Running, st.Workers.Min, st.Workers.Max, verdict(st.Verdict))
	a := l.axis()
	steps := l.steps()
	for _, line := range l.chart(a, steps) {
		b.WriteString(line + "\n")
	}
	for i, line := range a.marks(l.moments()) {
		head := strings.Repeat(" ", margin)
		if i == 0 {
			head = strings.Repeat(" ", margin-2) + "0 "
		}
		b.WriteString(head + line + "\n")
	}
	b.WriteString("\n" + l.progress(a) + "\n")
	if err := l.table(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func verdict(v v1alpha1.Verdict) string {
	if v == "" {
		return "not judged yet"
	}
	return string(v)
}

// axis begins when the job came and ends with the last moment that matters.
func (l Life) axis() axis {
	a := axis{from: l.Job.CreationTimestamp.Time, to: l.Now, columns: max(l.Width-margin, 20)}
	for _, m := range l.moments() {
		if m.at.After(a.to) {
			a.to = m.at
		}
	}
	return a
}

// moments are those below the axis: what was, what is expected, and the deadline.
func (l Life) moments() []mark {
	st := l.Job.Status
	all := []mark{{l.Job.CreationTimestamp.Time, "came " + clock(l.Job.CreationTimestamp.Time)}}
	if end, ended := l.ended(); ended {
		all = append(all, mark{end, "ended " + clock(end)})
	} else {
		all = append(all, mark{l.Now, "now " + clock(l.Now)})
		if eta, err := st.Prediction.ETA.Time(); err == nil && eta.After(l.Now) {
			all = append(all, mark{eta, "expected " + clock(eta)})
		}
		if latest, err := st.Prediction.Latest.Time(); err == nil && latest.After(l.Now) {
			all = append(all, mark{latest, "at worst " + clock(latest)})
		}
	}
	if deadline, err := st.Deadline.Time(); err == nil {
		all = append(all, mark{deadline, "deadline " + clock(deadline)})
	}
	return all
}

// ended is when the job has ended, if it has.
func (l Life) ended() (time.Time, bool) {
	for _, kind := range []string{v1alpha1.ConditionSucceeded, v1alpha1.ConditionFailed} {
		if c := meta.FindStatusCondition(l.Job.Status.Conditions, kind); c != nil && c.Status == "True" {
			if eta, err := l.Job.Status.Prediction.ETA.Time(); err == nil && kind == v1alpha1.ConditionSucceeded && !eta.After(l.Now) {
				return eta, true
			}
			return c.LastTransitionTime.Time, true
		}
	}
	return time.Time{}, false
}

func clock(t time.Time) string { return t.UTC().Format("15:04Z") }

// step is a size from a moment on.
type step struct {
	at      time.Time
	workers int32
}

// steps are the sizes that the job has had. A resize counts from when it had come about.
func (l Life) steps() []step {
	running := l.Job.Status.Workers.Running
	if len(l.Resizes) == 0 {
		return []step{{l.Job.CreationTimestamp.Time, running}}
	}
	steps := []step{{l.Job.CreationTimestamp.Time, l.Resizes[0].Spec.From}}
	for i := range l.Resizes {
		r := &l.Resizes[i]
		end := r.Ending()
		if end == nil || end.Type != v1alpha1.ConditionSucceeded {
			continue
		}
		to := r.Spec.To
		if r.Status.Asked != nil {
			to = *r.Status.Asked
		}
		since := end
		if in := meta.FindStatusCondition(r.Status.Conditions, v1alpha1.ConditionCommitted); in != nil {
			since = in // from then on the workers were there; it ended once they were seen to train
		}
		steps = append(steps, step{since.LastTransitionTime.Time, to})
	}
	if last := steps[len(steps)-1]; last.workers != running {
		if _, ended := l.ended(); !ended {
			steps = append(steps, step{l.Now, running})
		}
	}
	return steps
}

// sizeAt is the size at a moment.
func sizeAt(steps []step, t time.Time) int32 {
	size := int32(0)
	for _, s := range steps {
		if !s.at.After(t) {
			size = s.workers
		}
	}
	return size
}

// tallest is how many lines a chart has at most.
const tallest = 8

// chart draws the workers, with what is expected as dots.
func (l Life) chart(a axis, steps []step) []string {
	most := max(l.Job.Status.Workers.Max, 1)
	for _, s := range steps {
		most = max(most, s.workers)
	}
	height := min(most, tallest)
	until, ended := l.ended()
	if !ended {
		until = l.Now
	}
	eta, err := l.Job.Status.Prediction.ETA.Time()
	expected := err == nil && !ended
	var lines []string
	for row := height; row >= 1; row-- {
		level := (most*row + height - 1) / height // workers that reach this line
		line := []rune(fmt.Sprintf("%*d ", margin-1, level))
		for column := range a.columns {
			at := a.middle(column)
			mark := ' '
			switch {
			case column <= a.at(until) && sizeAt(steps, at) >= level:
				mark = '█'
			case column > a.at(until) && expected && column <= a.at(eta) && l.Job.Status.Workers.Desired >= level:
				mark = '·'
			}
			line = append(line, mark)
		}
		lines = append(lines, strings.TrimRight(string(line), " "))
	}
	return append([]string{"workers"}, lines...)
}

// progress is how far the job is, as a bar.
func (l Life) progress(a axis) string {
	const longest = 40
	st := l.Job.Status.Progress
	cells := min(a.columns-10, longest)
	full := int(int64(st.PartsPerMillion) * int64(cells) / 1e6)
	line := fmt.Sprintf("%-*s%s%s %d%%", margin, "done", strings.Repeat("█", full), strings.Repeat("·", cells-full), st.PartsPerMillion/1e4)
	if at, err := st.LastCheckpointAt.Time(); err == nil {
		line += ", saved at " + clock(at)
	}
	return line
}

// table lists the resizes.
func (l Life) table(b *strings.Builder) error {
	if len(l.Resizes) == 0 {
		b.WriteString("\nIt was never resized.\n")
		return nil
	}
	b.WriteString("\n")
	table := show.Columns{Text: 7, Heads: [][]string{{"RESIZE", "AT", "FROM", "TO", "REASON", "PHASE", "PAUSE", "LOST"}}}
	for _, r := range l.Resizes {
		table.Rows = append(table.Rows, []string{
			r.Name, r.CreationTimestamp.UTC().Format("15:04:05Z"), fmt.Sprint(r.Spec.From), fmt.Sprint(r.Spec.To), string(r.Spec.Reason),
			r.Status.Reached, dash(string(r.Status.Cost.Pause)), dash(string(r.Status.Cost.Lost)),
		})
	}
	table.Text = 8
	if err := table.Write(b); err != nil {
		return err
	}
	if pauses := l.pauses(); pauses > 0 {
		fmt.Fprintf(b, "\nNothing was trained for %s in all of %s.\n", elastic.Shorten(elastic.Seconds(pauses.Seconds())), elastic.CountOf(len(l.Resizes), "resize"))
	}
	return nil
}

func (l Life) pauses() (sum time.Duration) {
	for _, r := range l.Resizes {
		if pause, err := r.Status.Cost.Pause.Duration(); err == nil {
			sum += pause
		}
	}
	return sum
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
