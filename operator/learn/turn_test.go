package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// A training that slows down while its size stays, as with longer sequences or hot GPUs, does so at any size: that it
// was faster once with fewer workers is no reason to take some away. Where it becomes fast again, all is as before.
func TestATrainingThatSlowsDownDoesSoAtAnySize(t *testing.T) {
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
			w := beginsWatched(2)
			w.trainsAnHour()
			before := w.sizes(2, 4)[0]
			w.restarts(4)
			for _, w.pace = range test.becomes {
				w.trainsAnHour()
			}
			is := w.sizes(2, 4)
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

// A training that slows down until it is started again, as one whose memory leaks, is as fast at any size as it was,
// however often that has happened.
func TestATrainingThatEachStartMakesFastAgain(t *testing.T) {
	w := beginsWatched(2)
	w.trainsAnHour()
	w.restarts(8)
	w.trainsAnHour()
	before := w.sizes(2, 8)
	for range 4 {
		w.restarts(4)
		for _, w.pace = range []float64{1, 0.5} {
			w.trainsAnHour()
		}
	}
	w.restarts(4)
	w.pace = 1
	w.trainsAnHour()
	for i, is := range w.sizes(2, 8) {
		if got := float64(is.Expected / before[i].Expected); math.Abs(got-1) > 0.05 {
			t.Errorf("with %d workers it is taken to be %.2f times as fast as it was: %s", is.Workers, got, speeds(is))
		}
	}
}

// watched is a training of which each reading is taken.
type watched struct {
	*training
	run *Run
}

func beginsWatched(workers int) watched {
	w := watched{&training{
		Rand: rand.New(rand.NewPCG(1, 1)), total: 1e6, saveEvery: 4000, noise: 0.05, unit: "steps", workers: workers,
	}, NewRun("resnet-1")}
	w.run.Changed(w.moment())
	return w
}

func (w watched) trainsAnHour() {
	for end := w.now + 3600; w.now < end; {
		w.train(10)
		w.run.Sample(w.report(), size(w.workers))
	}
}

func (w watched) restarts(workers int) {
	w.restart(workers, 30)
	w.run.Changed(w.moment())
}

// sizes are what is predicted of some sizes.
func (w watched) sizes(workers ...int) []elastic.Size {
	var shapes []predictor.Shape
	for _, n := range workers {
		shapes = append(shapes, size(n))
	}
	job := elastic.Job{Workers: elastic.Workers(w.workers)}
	w.run.Fill(&job, shapes, FillOptions{Now: w.moment(), StaleAfter: time.Minute})
	return job.Sizes
}

func speeds(s elastic.Size) string { return fmt.Sprintf("%.1f/%.1f/%.1f", s.Speed, s.Expected, s.Best) }
