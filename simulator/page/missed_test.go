package page

import (
	"fmt"
	"slices"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

func TestMissesAreInOrderOfSeverity(t *testing.T) {
	declined := training("declined", 0, 100, 190)
	declined.Declined = true
	broken := training("broken", 0, 100, 101)
	broken.Promised = true
	jobs := []*simulator.Training{
		training("met", 0, 100, 90), training("never", 0, 100, never), declined, training("later", 0, 100, 400),
		training("none", 0, never, never), broken,
	}
	m := newMisses(span{}, jobs, nil)
	var order []string
	for _, row := range m.Shown {
		order = append(order, row.ID+" "+row.Late+" "+row.Told)
	}
	want := []string{"broken 1 s promised", "later 5 min nothing", "declined 1 min 30 s declined", "never  nothing"}
	if !slices.Equal(order, want) {
		t.Errorf("%q, want %q", order, want)
	}
	if m.Count != 4 || m.Rest != 0 || m.Never != 1 || m.Broken != 1 || m.Declined != 1 || m.Untold != 2 ||
		m.Median != "1 min 30 s" {
		t.Errorf("%+v", m)
	}
}

func TestMissesAreBounded(t *testing.T) {
	var jobs []*simulator.Training
	for i := range 1000 {
		jobs = append(jobs, training(fmt.Sprint(i), 0, 100, 101))
	}
	if m := newMisses(span{}, jobs, nil); len(m.Shown) != shown || m.Rest != 1000-shown || m.Count != 1000 {
		t.Errorf("%d of %d are shown, the rest is %d", len(m.Shown), m.Count, m.Rest)
	}
}

func TestTimeline(t *testing.T) {
	job := training("job", 100, 200, 280)
	held := []spell{{job, 110, 150, 4}, {job, 190, 220, 2}, {job, 220, 280, 4}}
	want := timeline{
		Before:   "M10 2H50V16H10ZM90 5.5H100V12.5H90Z",
		Overdue:  "M100 5.5H120V12.5H100ZM120 2H180V16H120Z",
		Deadline: 100, End: 180, Finished: true,
	}
	if got := newTimeline(job, held); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	job.Finished = 400
	held[2].to = 400
	if got := newTimeline(job, held); got.Finished || !got.Beyond || got.End != timelineWidth {
		t.Errorf("a job that ends beyond the line: %+v", got)
	}
	job = training("late from the start", 100, 50, 100.5)
	if got := newTimeline(job, []spell{{job, 100, 100.5, 1}}); !got.Finished || got.Overdue == "" || got.Before != "" {
		t.Errorf("a deadline before the arrival: %+v", got)
	}
}
