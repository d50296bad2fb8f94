package policies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
	"github.com/takt-dev/takt/simulator"
)

// reader learns the speeds of each job by itself, as the operator does: by a reading every ten seconds.
type reader struct {
	random *rand.Rand
	noise  float64
	known  map[*simulator.Training]*read
}

// read is what is known of one job.
type read struct {
	model *predictor.Model
	size  int
	at    simulator.Seconds
	left  simulator.Iterations
}

const readEvery = simulator.Seconds(10)

func (r *reader) Watch(now simulator.Seconds, jobs []*simulator.Training) simulator.Seconds {
	for _, t := range jobs {
		k := r.known[t]
		if k == nil {
			k = &read{model: predictor.NewModel()}
			r.known[t] = k
		}
		if t.Size != k.size || k.at < t.Since {
			k.size, k.at, k.left = t.Size, max(now, t.Since), t.Left
		}
		if trained := now - k.at; k.size > 0 && trained >= readEvery-1 {
			rate := float64(k.left-t.Left) / float64(trained) * math.Exp(r.noise*r.random.NormFloat64())
			_ = k.model.ObserveRate(predictor.Shape{Workers: predictor.Workers(k.size), Nodes: 1}, predictor.Rate(rate), r.noise)
			k.at, k.left = now, t.Left
		}
		t.Curve = nil
		for w := 1; w <= 4; w++ {
			s := elastic.Size{Workers: elastic.Workers(w)}
			if rate, err := k.model.Rate(predictor.Shape{Workers: predictor.Workers(w), Nodes: 1}); err == nil {
				s.Expected, s.Best = elastic.Speed(rate.Median), elastic.Speed(rate.High)
				if rate.Trust != predictor.Unknown {
					s.Speed = elastic.Speed(rate.Low)
				}
			}
			t.Curve = append(t.Curve, s)
		}
	}
	if len(jobs) == 0 {
		return simulator.Never
	}
	return now + readEvery
}

// A change costs a cold job forty seconds: it is not made to and fro for the sake of what others gain in them.
func TestColdJobsDoNotFlap(t *testing.T) {
	truth := simulator.Speeds{}
	for w := 1; w <= 4; w++ {
		truth[w] = 1 / (0.1 + 0.9/float64(w))
	}
	tests := map[string]struct {
		jobs, wantMet, wantTurns int // of 60 clusters together
	}{
		"with room for all": {4, 240, 6},
		"in want of GPUs":   {6, 355, 20},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			met, turns := 0, 0
			for seed := range uint64(60) {
				random := rand.New(rand.NewPCG(seed, 1))
				var jobs []simulator.Job
				for i := range tt.jobs {
					submit := simulator.Seconds(random.IntN(200))
					work := simulator.Iterations(300 + random.IntN(900))
					deadline := submit + 60 + simulator.Seconds(float64(work)*(0.5+1.5*random.Float64()))
					jobs = append(jobs, job(fmt.Sprintf("job-%d", i), "", submit, deadline, work, 2))
				}
				c := simulator.Cluster{GPUs: 8, GPUsPerNode: 8, ResizeCost: 40}
				p, err := New("takt")
				if err != nil {
					t.Fatal(err)
				}
				h, err := c.Run(jobs, func(simulator.Job) simulator.Speeds { return truth },
					&reader{random, 0.1, map[*simulator.Training]*read{}}, p)
				if err != nil {
					t.Fatal(err)
				}
				for _, j := range h.Jobs {
					if j.Met() {
						met++
					}
					turns += turnsOf(h, j)
				}
			}
			if met < tt.wantMet || turns > tt.wantTurns {
				t.Errorf("%d deadlines are met, and jobs grow after they shrank, or the other way round, %d times: want %d or "+
					"more, and %d or fewer",
					met, turns, tt.wantMet, tt.wantTurns)
			}
		})
	}
}

// turnsOf is how often a job grows right after it shrank, or shrinks right after it grew.
func turnsOf(h simulator.History, j *simulator.Training) int {
	var sizes []int
	turns := 0
	for _, c := range h.Changes {
		if c.Job != j {
			continue
		}
		if n := len(sizes); n > 1 && c.Size > 0 && sizes[n-1] > 0 && (c.Size > sizes[n-1]) != (sizes[n-1] > sizes[n-2]) {
			turns++
		}
		sizes = append(sizes, c.Size)
	}
	return turns
}
