package learn

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// Whatever a run is told, the planner takes what it fills in, what is stored is read again, and what
// it says of itself fits together.
func TestStoryAnythingGoes(t *testing.T) {
	for _, seed := range extent.Some(t, extent.First(300), 100) {
		random := rand.New(rand.NewPCG(seed, 1))
		number := func(usual float64) float64 {
			if random.IntN(8) > 0 {
				return usual
			}
			return []float64{0, -1, 1e-300, 1e-9, 1, 1e9, 1e15, 1e300, math.NaN(), math.Inf(1), math.Inf(-1)}[random.IntN(11)]
		}
		now, done := dawn, 0.0
		when := func() time.Time {
			switch random.IntN(20) {
			case 0:
				return time.Time{}
			case 1:
				return time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
			case 2:
				return now.Add(-time.Hour)
			default:
				return now
			}
		}
		workers := []int{1, 2, 4}[random.IntN(3)]
		r := NewRun("resnet-1")
		for range 100 {
			now = now.Add(time.Duration(random.IntN(20)) * time.Second)
			done += random.Float64()
			switch random.IntN(12) {
			case 0:
				r.Changed(when())
				workers = []int{0, 1, 2, 4, 4096}[random.IntN(5)]
			case 1:
				r.Failed(errors.New("none"), when())
			case 2:
				done = math.Floor(done * random.Float64())
			case 3:
				r.Restarted(v1alpha1.RestartKind([]string{"Start", "Live", "Cold"}[random.IntN(3)]),
					resize.Cost{Measured: random.IntN(2) == 0, Pause: time.Duration(number(1e10)), Lost: time.Duration(number(1e9))})
			default:
				s := progress.Sample{
					Source: v1alpha1.ProgressAgent, At: when(), Done: number(done), Total: number(1000), Unit: "steps",
					SavedAt: when(),
				}
				if random.IntN(20) == 0 {
					s.Unit, s.Total, s.Source = progress.Share, 1, v1alpha1.ProgressLogs
					s.Done = min(1, s.Done/1000)
				}
				r.Sample(s, predictor.Shape{Workers: predictor.Workers(workers), Nodes: random.IntN(4), GPU: "A100"})
			}

			if random.IntN(10) == 0 {
				again, err := Recalled("resnet-1", r.Keep())
				if err != nil {
					t.Fatalf("seed %d: %v of %s", seed, err, r.Keep())
				}
				r = again
			}
			job := elastic.Job{Name: "team/resnet"}
			shapes := []predictor.Shape{size(1), size(2), size(4), size(64)}
			r.Fill(&job, shapes, FillOptions{Now: now, AssumedPause: time.Minute})
			if err := (elastic.Snapshot{Now: Moment(now), Jobs: []elastic.Job{job}}).Check(); err != nil {
				t.Fatalf("seed %d: the planner refuses %+v: %v", seed, job, err)
			}
			v := r.View(now, time.Minute)
			if !(v.Done >= 0 && v.Done <= 1) || v.Known != (v.Total > 0) || v.Sentence == "" && v.Health != Good {
				t.Fatalf("seed %d: the view is %+v", seed, v)
			}
			p := r.Prediction(shapes, now, now.Add(time.Hour))
			if !(p.OnTime >= 0 && p.OnTime <= 1) || p.Known && !p.ETA.IsZero() &&
				(p.ETA.Before(now) || p.Earliest.After(p.ETA)) {
				t.Fatalf("seed %d: the prediction is %+v", seed, p)
			}
			if w := r.Progress(); w.Advances < 0 || w.Advances > 0 && w.ResumedAt.IsZero() ||
				w.StoppedAt.After(w.ResumedAt) && !w.ResumedAt.IsZero() {
				t.Fatalf("seed %d: the progress is %+v", seed, w)
			}
			if rec, dirty := r.Record(now, false); dirty {
				status := mergeRecord(v1alpha1.TrainingProfileStatus{}, rec, now)
				if again := mergeRecord(status, rec, now); len(again.Speeds) != len(rec.Speeds) ||
					len(again.Restarts) != len(rec.Restarts) {
					t.Fatalf("seed %d: %+v is read again as %+v", seed, rec, again)
				}
			}
		}
	}
}
