package simulator

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Result is what a policy has made of a trace.
type Result struct {
	Policy string `json:"policy"`
	GPUs   int    `json:"gpus"` // of the cluster
	Figures
	Bound         float64  `json:"bound"`
	MetOverBound  float64  `json:"metOverBound"`
	ResizesPerJob float64  `json:"resizesPerJob"`
	GPUHoursLost  float64  `json:"gpuHoursLost"`
	Unfinished    int      `json:"unfinished"`               // jobs that never end
	Guesses       int      `json:"guesses"`                  // jobs whose work and speeds are guessed
	BestEffortJCT *float64 `json:"bestEffortMeanJCTSeconds"` // null without best-effort jobs
	Decision      Millis   `json:"decisionMillis"`
	Wall          float64  `json:"wallSeconds"`
	Queues        []Share  `json:"queues,omitempty"` // what became of the jobs of each, where the trace names several
}

// Figures are those that are told of all jobs, and of the jobs of each queue.
type Figures struct {
	Jobs         int     `json:"jobs"` // with a deadline
	Met          int     `json:"met"`
	MetRatio     float64 `json:"metRatio"`
	Promised     int     `json:"promised"`
	LateAfter    int     `json:"lateAfterPromise"`
	Declined     int     `json:"declined"`
	GPUHoursUsed float64 `json:"gpuHoursUsed"`
	// Waiting is for how long jobs held no GPU between their arrival and their end, and Completion how long
	// it was from one to the other, of all jobs that have ended. They are null if none has.
	Waiting    *Spans   `json:"waitingSeconds"`
	Completion *Spans   `json:"completionSeconds"`
	Cost       *float64 `json:"cost"` // of the GPU hours used; null where no price is given
}

// DefaultQueue is that of jobs which name none.
const DefaultQueue = "default"

// Share is what has become of the jobs of one queue.
type Share struct {
	Queue string `json:"queue"`
	All   int    `json:"allJobs"`
	Figures
}

// Millis are how long decisions took.
type Millis struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// Result sums up a history. A GPU of each job costs so much in an hour, if there is a price.
func (h History) Result(policy string, bound Bound, wall time.Duration, perHour func(Job) float64) Result {
	r := Result{Policy: policy, Figures: figuresOf(h.Jobs, perHour), Bound: bound.Ratio(), Wall: wall.Seconds()}
	resizes, efforts, completion := 0, 0, 0.0
	for _, t := range h.Jobs {
		resizes += t.Resizes
		r.GPUHoursLost += t.Idle / 3600
		if t.Guess {
			r.Guesses++
		}
		switch {
		case t.Finished == Never:
			r.Unfinished++
		case t.BestEffort():
			efforts++
			completion += float64(t.Finished - t.Submit)
		}
	}
	r.MetOverBound = float64(r.Met) / float64(max(bound.Met(), 1))
	r.ResizesPerJob = float64(resizes) / float64(max(len(h.Jobs), 1))
	if efforts > 0 {
		mean := completion / float64(efforts)
		r.BestEffortJCT = &mean
	}
	slices.Sort(h.Decisions)
	if n := len(h.Decisions); n > 0 {
		r.Decision = Millis{h.Decisions[n/2].Seconds() * 1e3, h.Decisions[n*99/100].Seconds() * 1e3}
	}
	r.Queues = h.shares(perHour)
	return r
}

// shares are what has become of the jobs of each queue, by name, where there are several.
func (h History) shares(perHour func(Job) float64) (shares []Share) {
	of := map[string][]*Training{}
	for _, t := range h.Jobs {
		name := cmp.Or(t.Queue, DefaultQueue)
		of[name] = append(of[name], t)
	}
	if len(of) < 2 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		shares = append(shares, Share{name, len(of[name]), figuresOf(of[name], perHour)})
	}
	return shares
}

func figuresOf(jobs []*Training, perHour func(Job) float64) (f Figures) {
	var waited, took []float64
	cost := 0.0
	for _, t := range jobs {
		f.GPUHoursUsed += t.Held / 3600
		if perHour != nil {
			cost += t.Held / 3600 * perHour(t.Job)
		}
		if t.Finished != Never {
			waited, took = append(waited, float64(t.Waited)), append(took, float64(t.Finished-t.Submit))
		}
		if t.BestEffort() {
			continue
		}
		f.Jobs++
		switch {
		case t.Met():
			f.Met++
		case t.Promised:
			f.LateAfter++
		}
		if t.Promised {
			f.Promised++
		} else if t.Declined {
			f.Declined++
		}
	}
	f.MetRatio = float64(f.Met) / float64(max(f.Jobs, 1))
	f.Waiting, f.Completion = newSpans(waited), newSpans(took)
	if perHour != nil {
		f.Cost = &cost
	}
	return f
}
