package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// training is a job as it really is. A run only sees what it reports.
type training struct {
	*rand.Rand
	now       float64 // seconds since dawn
	total     float64
	done      float64
	workers   int
	pausedTil float64
	saved     float64 // work in the last checkpoint
	savedAt   float64
	saveEvery float64 // in work
	noise     float64
	pace      float64 // by how much it is faster than at first; 0 is not at all
	unit      string
}

// speed is how fast it trains: Amdahl's law, with some exchange that grows with the workers.
func truth(workers int) float64 { return 10 / (0.1 + 0.9/float64(workers) + 0.004*float64(workers)) }

// train goes on for a while, in small steps.
func (j *training) train(seconds float64) {
	for end := j.now + seconds; j.now < end; {
		step := math.Min(0.5, end-j.now)
		j.now += step
		if j.now < j.pausedTil || j.workers == 0 {
			continue
		}
		j.done = math.Min(j.total, j.done+step*cmp.Or(j.pace, 1)*truth(j.workers)*math.Exp(j.noise*j.NormFloat64()))
		if j.done >= j.saved+j.saveEvery {
			j.saved, j.savedAt = math.Floor(j.done/j.saveEvery)*j.saveEvery, j.now
		}
	}
}

// restart stops it for a pause, and takes it back to its checkpoint.
func (j *training) restart(workers int, pause float64) (lost float64) {
	lost = (j.done - j.saved) / truth(j.workers)
	j.workers, j.pausedTil, j.done = workers, j.now+pause, j.saved
	return lost
}

func (j *training) moment() time.Time { return dawn.Add(time.Duration(j.now * float64(time.Second))) }

func (j *training) report() progress.Sample {
	s := progress.Sample{
		Source: v1alpha1.ProgressAgent, At: j.moment(), Done: math.Floor(j.done), Total: j.total, Unit: "steps",
	}
	if j.unit == progress.Share {
		s.Done, s.Total, s.Unit = j.done/j.total, 1, progress.Share
	}
	if j.savedAt > 0 {
		s.SavedAt = dawn.Add(time.Duration(j.savedAt * float64(time.Second)))
	}
	return s
}

// deliver brings readings as badly as they may come: twice, out of order, or not at all.
func (j *training) deliver(r *Run, before, s progress.Sample) {
	switch j.IntN(10) {
	case 0:
	case 1:
		r.Sample(s, size(j.workers))
		r.Sample(s, size(j.workers))
	case 2:
		r.Sample(s, size(j.workers))
		r.Sample(before, size(j.workers))
	case 3:
		r.Failed(errors.New("timeout"), j.moment())
		r.Sample(s, size(j.workers))
	default:
		r.Sample(s, size(j.workers))
	}
}

func TestStoryARunLearnsWhatIsTrue(t *testing.T) {
	for seed := range uint64(20) {
		unit := []string{"steps", progress.Share}[seed%2]
		t.Run(fmt.Sprintf("%d in %s", seed, unit), func(t *testing.T) {
			j := &training{
				Rand: rand.New(rand.NewPCG(seed, 1)), total: 400000, saveEvery: 4000, noise: 0.1, unit: unit, workers: 2,
			}
			r := NewRun("resnet-1")
			r.Changed(j.moment())
			last := j.report()
			watch := func(seconds float64) {
				for end := j.now + seconds; j.now < end; {
					j.train(5 + 5*j.Float64())
					s := j.report()
					j.deliver(r, last, s)
					last = s
				}
			}
			const pause = 30
			lost := 0.0
			watch(600)
			for _, workers := range []int{4, 1, 4, 8} {
				lost = max(lost, j.restart(workers, pause))
				r.Changed(j.moment())
				watch(900)
				p := r.Progress()
				if p.Advances < 10 || !p.ResumedAt.After(p.StoppedAt) {
					t.Fatalf("after 15 minutes with %d workers: %+v", workers, p)
				}
				// The resize machine does not see what was lost here: the counter tells.
				r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: p.ResumedAt.Sub(p.StoppedAt)})
			}

			v := r.View(j.moment(), time.Minute)
			if want := j.done / j.total; v.Health != Good || math.Abs(v.Done-want) > 0.002 {
				t.Errorf("%s: %s done %g, want %g", v.Health, v.Sentence, v.Done, want)
			}
			var job elastic.Job
			shapes := []predictor.Shape{size(1), size(2), size(4), size(6), size(8), size(16), size(64)}
			r.Fill(&job, shapes, FillOptions{Now: j.moment(), AssumedPause: time.Hour, Kind: v1alpha1.RestartLive})
			total := 1.0
			scale := 1 / j.total
			if unit == "steps" {
				total, scale = j.total, 1
			}
			if want := total * (1 - j.done/j.total); math.Abs(float64(job.Left)/want-1) > 0.01 {
				t.Errorf("left is %g, want %g", job.Left, want)
			}
			for i, got := range job.Sizes {
				want := truth(int(got.Workers)) * scale
				off := 0.05
				switch got.Workers {
				case 64:
					if got.Speed != 0 || !(got.Expected > 0 && got.Best >= got.Expected) {
						t.Errorf("far beyond what was seen: %+v, want a speed that is expected and none to count on", got)
					}
					continue
				case 16:
					off = 0.4
				case 6:
					off = 0.12
				}
				if int(got.Workers) != int(shapes[i].Workers) || math.Abs(float64(got.Expected)/want-1) > off ||
					got.Speed <= 0 || got.Speed > got.Expected || got.Best < got.Expected {
					t.Errorf("%d workers: %+v, want a speed of %g", shapes[i].Workers, got, want)
				}
			}
			// A pause is seen as long as the readings are apart, and stragglers among them.
			if job.Pause < pause || job.Pause > 4*pause {
				t.Errorf("the pause is %g s, want somewhat more than %d", job.Pause, pause)
			}
			interval := j.saveEvery / truth(1)
			if got := float64(job.Rework); got < 0.8*lost-10 || got > 1.2*interval+30 {
				t.Errorf("the rework is %g s, want at least the %g that were lost, and at most the %g between checkpoints", got,
					lost, interval)
			}
			remaining := (j.total - j.done) / truth(8)
			end := j.moment().Add(span(remaining))
			p := r.Prediction(shapes, j.moment(), end)
			if !p.Known || p.ETA.Sub(end).Abs().Seconds() > 0.05*remaining || p.Earliest.After(p.ETA) ||
				p.Latest.Before(p.ETA) ||
				p.Earliest.After(end.Add(time.Minute)) || p.OnTime < 0.02 || p.OnTime > 0.98 {
				t.Errorf("the end is predicted as %+v, want %v", p, end)
			}
		})
	}
}
