package simulator

import (
	"slices"
	"time"
)

// Result is what a policy has made of a trace.
type Result struct {
	Policy        string  `json:"policy"`
	GPUs          int     `json:"gpus"` // of the cluster
	Jobs          int     `json:"jobs"` // with a deadline
	Met           int     `json:"met"`
	MetRatio      float64 `json:"metRatio"`
	Bound         float64 `json:"bound"`
	MetOverBound  float64 `json:"metOverBound"`
	Promised      int     `json:"promised"`
	LateAfter     int     `json:"lateAfterPromise"`
	Declined      int     `json:"declined"`
	ResizesPerJob float64 `json:"resizesPerJob"`
	GPUHoursUsed  float64 `json:"gpuHoursUsed"`
	GPUHoursLost  float64 `json:"gpuHoursLost"`
	// Waiting is for how long jobs held no GPU between their arrival and their end, and Completion how long
	// it was from one to the other, of all jobs that have ended. They are null if none has.
	Waiting       *Spans   `json:"waitingSeconds"`
	Completion    *Spans   `json:"completionSeconds"`
	Unfinished    int      `json:"unfinished"`               // jobs that never end
	Guesses       int      `json:"guesses"`                  // jobs whose work and speeds are guessed
	Cost          *float64 `json:"cost"`                     // of the GPU hours used; null where no price is given
	BestEffortJCT *float64 `json:"bestEffortMeanJCTSeconds"` // null without best-effort jobs
	Decision      Millis   `json:"decisionMillis"`
	Wall          float64  `json:"wallSeconds"`
}

// Millis are how long decisions took.
type Millis struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// Result sums up a history.
func (h History) Result(policy string, bound Bound, wall time.Duration) Result {
	r := Result{Policy: policy, Bound: bound.Ratio(), Wall: wall.Seconds()}
	resizes, efforts, completion := 0, 0, 0.0
	var waited, took []float64
	for _, t := range h.Jobs {
		resizes += t.Resizes
		r.GPUHoursUsed += t.Held / 3600
		r.GPUHoursLost += t.Idle / 3600
		if t.Guess {
			r.Guesses++
		}
		if t.Finished == Never {
			r.Unfinished++
		} else {
			waited, took = append(waited, float64(t.Waited)), append(took, float64(t.Finished-t.Submit))
		}
		if t.BestEffort() {
			if t.Finished != Never {
				efforts++
				completion += float64(t.Finished - t.Submit)
			}
			continue
		}
		r.Jobs++
		switch {
		case t.Met():
			r.Met++
		case t.Promised:
			r.LateAfter++
		}
		if t.Promised {
			r.Promised++
		} else if t.Declined {
			r.Declined++
		}
	}
	r.MetRatio = float64(r.Met) / float64(max(r.Jobs, 1))
	r.MetOverBound = float64(r.Met) / float64(max(bound.Met(), 1))
	r.ResizesPerJob = float64(resizes) / float64(max(len(h.Jobs), 1))
	r.Waiting, r.Completion = newSpans(waited), newSpans(took)
	if efforts > 0 {
		mean := completion / float64(efforts)
		r.BestEffortJCT = &mean
	}
	slices.Sort(h.Decisions)
	if n := len(h.Decisions); n > 0 {
		r.Decision = Millis{h.Decisions[n/2].Seconds() * 1e3, h.Decisions[n*99/100].Seconds() * 1e3}
	}
	return r
}

// Cost is what the GPU hours cost that jobs have used: a GPU of each job costs so much in an hour.
func (h History) Cost(perHour func(Job) float64) (sum float64) {
	for _, t := range h.Jobs {
		sum += t.Held / 3600 * perHour(t.Job)
	}
	return sum
}
