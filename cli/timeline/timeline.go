package timeline

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/told"
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
	fmt.Fprintf(&b, "%s: %s, %d of %d to %d workers, %s\n\n", l.Job.Name, l.Job.Spec.JobRef, st.Workers.Running,
		st.Workers.Min, st.Workers.Max, verdict(st.Verdict))
	a := l.axis()
	steps := l.told().Steps()
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
func (l Life) moments() (all []mark) {
	for _, m := range l.told().Moments() {
		all = append(all, mark{m.At, m.Name + " " + told.Clock(m.At)})
	}
	return all
}

func (l Life) told() told.Job { return told.Job{ElasticJob: l.Job, Resizes: l.Resizes, Now: l.Now} }

// tallest is how many lines a chart has at most.
const tallest = 8

// chart draws the workers, with what is expected as dots.
func (l Life) chart(a axis, steps []told.Step) []string {
	most := max(l.Job.Status.Workers.Max, 1)
	for _, s := range steps {
		most = max(most, s.Workers)
	}
	height := min(most, tallest)
	until, ended := l.told().Ended()
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
			case column <= a.at(until) && told.SizeAt(steps, at) >= level:
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
	line := fmt.Sprintf("%-*s%s%s %d%%", margin, "done", strings.Repeat("█", full), strings.Repeat("·", cells-full),
		st.PartsPerMillion/1e4)
	if at, err := st.LastCheckpointAt.Time(); err == nil {
		line += ", saved at " + told.Clock(at)
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
			r.Name, r.CreationTimestamp.UTC().Format("15:04:05Z"), fmt.Sprint(r.Spec.From), fmt.Sprint(r.Spec.To),
			string(r.Spec.Reason),
			r.Status.Reached, dash(string(r.Status.Cost.Pause)), dash(string(r.Status.Cost.Lost)),
		})
	}
	table.Text = 8
	if err := table.Write(b); err != nil {
		return err
	}
	if pauses := l.told().Pauses(); pauses > 0 {
		fmt.Fprintf(b, "\nNothing was trained for %s in all of %s.\n", told.Span(pauses),
			elastic.CountOf(len(l.Resizes), "resize"))
	}
	return nil
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
