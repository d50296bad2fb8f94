package reporting

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

func TestWhatWouldMeetAnInfeasibleDeadline(t *testing.T) {
	dawn := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return dawn.Add(time.Duration(seconds) * time.Second) }
	shape := func(workers, nodes int) predictor.Shape {
		return predictor.Shape{Workers: predictor.Workers(workers), Nodes: nodes, GPU: "A100"}
	}
	run := learn.NewRun("resnet-1")
	done, now := 0., 0
	for workers, speed := range []float64{1, 1.95} { // with one worker, and with two
		run.Changed(at(now))
		for range 10 {
			now += 10
			done += 10 * speed
			run.Sample(progress.Sample{Source: v1alpha1.ProgressAgent, At: at(now), Done: done, Total: 10000, Unit: "steps"},
				shape(workers+1, 1))
		}
	}
	known := &memory.Job{}
	known.PlannedWith([]predictor.Shape{shape(1, 1), shape(2, 1)}, 8)
	every := (&view.Subject{ElasticJob: &v1alpha1.ElasticJob{}, Known: known}).Further()
	for name, tt := range map[string]struct {
		run      *learn.Run
		beyond   []predictor.Shape
		most     resize.Workers
		deadline int
		want     string
	}{
		"more than it may have": {run, every, 2, now + 4500, "workers it would be in time: it may have 2 at most."},
		"more than there is":    {run, every, 8, now + 4500, "but the nodes have no room for them."},
		"a size that it may have": {run, []predictor.Shape{shape(4, 1)}, 8, now + 4500,
			"With 4 workers it would be in time: it may have as many, but the nodes have no room for them."},
		"more than can be told":      {run, every, 2, now + 100, ""},
		"nothing is known of it":     {learn.NewRun("bert-1"), every, 2, now + 4500, ""},
		"nobody can tell of another": {run, nil, 2, now + 4500, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := wouldDo(tt.run, tt.beyond, tt.most, at(now), at(tt.deadline))
			if !strings.HasSuffix(got, tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("got %q, want it to end in %q", got, tt.want)
			}
		})
	}
}
