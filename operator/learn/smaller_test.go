package learn

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// A training becomes slower while it has eight workers. Nobody knows whether it would at fewer that it never had: so
// none of these is surer to be in time, and it gives nothing back, whichever deadline it has.
func TestNoSmallerSizeIsSurerThatWasNeverTried(t *testing.T) {
	r := NewRun("a-1")
	team("abcd", 0, 0)(r)
	reads(4, line(0, 9, 40, 0, 1)...)(r)
	team("abcdefgh", 340, 341)(r)
	shapes := []predictor.Shape{size(4), size(5), size(6), size(7), size(8)}
	done := 340.0
	for i := range 150 {
		speed := 1.6 - 0.7*float64(i)/150
		s := line(370+i*9, 9, 1, done, 0)[0]
		done += speed * 9
		r.Sample(s, size(8))
		job := elastic.Job{Name: "a", Workers: 8, Written: 4}
		r.Fill(&job, shapes, FillOptions{Now: s.At, AssumedPause: 30 * time.Second, Began: at(0)})
		for due := 4000; due < 15000; due += 100 {
			job.Deadline = new(Moment(at(due)))
			d := elastic.Plan(elastic.Snapshot{
				Now: Moment(s.At), Nodes: []elastic.Node{{Name: "n", GPUs: 8}}, Jobs: []elastic.Job{job},
			})
			if gets := d.Jobs[0].Workers; gets < 8 {
				t.Fatalf("after %d s it gives %d back, and is due at %d: %+v", i*9, 8-gets, due, job.Sizes)
			}
		}
	}
}
