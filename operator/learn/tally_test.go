package learn

import (
	"math"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// Where each worker has a batch of its own, as with the trainer of Hugging Face, more workers have fewer steps to do,
// and are no faster at one. The counter goes on from where it was, or from a checkpoint: it is the total that tells.
func TestStepsThatMoreWorkersShare(t *testing.T) {
	of := func(total float64, line []progress.Sample) []progress.Sample {
		for i := range line {
			line[i].Total = total
		}
		return line
	}
	r := NewRun("parity-1")
	for _, tell := range []tell{
		reads(2, line(0, 10, 20, 0, 10)...), // to 1900
		changes(195),
		reads(4, line(200, 5, 2, 1950, 8)...),              // the others are yet to join
		reads(4, of(5000, line(220, 10, 20, 1800, 10))...), // to 3700 of 5000: each step is two of before
	} {
		tell(r)
	}
	check := func(r *Run, left float64) {
		t.Helper()
		job := elastic.Job{Workers: 4}
		r.Fill(&job, []predictor.Shape{size(2), size(4)}, FillOptions{Now: r.movedAt})
		if math.Abs(float64(job.Left)-left) > 1 {
			t.Errorf("%v are left, want %v", job.Left, left)
		}
		if two, four := job.Sizes[0].Speed, job.Sizes[1].Speed; four < 1.7*two || four > 2.1*two {
			t.Errorf("four workers do %.1f a second, and two %.1f", four, two)
		}
	}
	check(r, 2600)
	check(recalled(t, r), 2600)
	changes(415)(r)
	reads(2, line(440, 10, 20, 3600, 10)...)(r) // to 5500 of 10000
	check(r, 4500)

	// Without a change of the workers, a total that has changed says that there is more or less to do.
	r = NewRun("revised-1")
	reads(2, line(0, 10, 20, 0, 10)...)(r)
	reads(2, of(5000, line(200, 10, 10, 2000, 10))...)(r)
	job := elastic.Job{Workers: 2}
	r.Fill(&job, []predictor.Shape{size(2)}, FillOptions{Now: r.movedAt})
	if job.Left != 2100 {
		t.Errorf("%v are left of a total that was revised, want 2100", job.Left)
	}
}
