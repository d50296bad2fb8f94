package learn

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// A training that slows down while its size stays, as with longer sequences or hot GPUs, does so at any size: that it
// was faster once with fewer workers is no reason to take some away. Where it becomes fast again, all is as before.
func TestATrainingThatSlowsDownDoesSoAtAnySize(t *testing.T) {
	shapes := []predictor.Shape{size(2), size(4)}
	for name, test := range map[string]struct {
		becomes   []float64 // how fast it is with four workers, an hour each
		from, til float64   // how fast it is taken to be with two, beside how fast it was
	}{
		"it stays as fast":                  {[]float64{1, 1}, 0.9, 1.1},
		"it halves its speed":               {[]float64{1, 0.5}, 0.4, 0.65},
		"it halves its speed at once":       {[]float64{0.5}, 0.4, 1.1},
		"it halves its speed, and again":    {[]float64{1, 0.5, 0.25}, 0.2, 0.35},
		"it slows down, and recovers":       {[]float64{1, 0.5, 1}, 0.85, 1.15},
		"it is slow until its cache is hot": {[]float64{0.6, 1}, 0.9, 1.1},
		"it is slow at first, and at last":  {[]float64{0.6, 1, 0.5}, 0.4, 0.65},
	} {
		t.Run(name, func(t *testing.T) {
			j := &training{
				Rand: rand.New(rand.NewPCG(1, 1)), total: 1e6, saveEvery: 4000, noise: 0.05, unit: "steps", workers: 2,
			}
			r := NewRun("resnet-1")
			r.Changed(j.moment())
			fill := func() (s []elastic.Size) {
				var job elastic.Job
				job.Workers = elastic.Workers(j.workers)
				r.Fill(&job, shapes, FillOptions{Now: j.moment(), StaleAfter: time.Minute})
				return job.Sizes
			}
			watch := func(seconds float64) {
				for end := j.now + seconds; j.now < end; {
					j.train(10)
					r.Sample(j.report(), size(j.workers))
				}
			}
			watch(3600)
			before := fill()[0]
			j.restart(4, 30)
			r.Changed(j.moment())
			for _, j.pace = range test.becomes {
				watch(3600)
			}
			is := fill()
			two, four := is[0], is[1]
			if got := float64(two.Expected / before.Expected); got < test.from || got > test.til {
				t.Errorf("with two workers it is taken to be %.2f times as fast as it was; with four %s", got, speeds(four))
			}
			if len(test.becomes) > 1 && two.Speed > four.Best {
				t.Errorf("it seems to be faster with two workers (%s) than with four (%s)", speeds(two), speeds(four))
			}
		})
	}
}

func speeds(s elastic.Size) string { return fmt.Sprintf("%.1f/%.1f/%.1f", s.Speed, s.Expected, s.Best) }
