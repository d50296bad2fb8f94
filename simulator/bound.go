package simulator

import (
	"cmp"
	"container/heap"
	"slices"
)

// Bound is how many deadlines can be met at most, by a scheduler that knows all jobs in advance,
// places them without regard to nodes, and pays for each job but the one resize that starts it.
type Bound struct {
	Jobs       int
	Infeasible int // cannot be met even by a job that has the cluster to itself
	Forced     int // must be missed for want of GPUs, whatever is chosen
}

// Met is the number of deadlines that can be met at most.
func (b Bound) Met() int { return b.Jobs - b.Infeasible - b.Forced }

// Ratio is the share of deadlines that can be met at most.
func (b Bound) Ratio() float64 { return float64(b.Met()) / float64(max(b.Jobs, 1)) }

// window is a job that could be met: when it can train, and the GPU time it needs at least.
type window struct {
	release, deadline Seconds
	demand            float64
}

// NewBound finds the bound for jobs on so many GPUs. Jobs whose speed is not known count as
// infeasible: nobody could have run them.
//
// In every span of time, the jobs that must run within it can use no more GPU time than there is.
// Of those that are too many the fewest are given up that make the others fit (the rule of Moore
// and Hodgson); spans that do not overlap add up.
func NewBound(jobs []Job, speeds func(Job) Speeds, gpus int, resizeCost Seconds) Bound {
	bound := Bound{Jobs: len(jobs)}
	hulls := map[kind]hull{}
	var windows []window
	for _, job := range jobs {
		h, ok := hulls[job.kind()]
		if !ok {
			h = newHull(speeds(job))
			hulls[job.kind()] = h
		}
		release := job.Submit + resizeCost
		span := float64(job.Deadline - release)
		if span <= 0 {
			bound.Infeasible++
			continue
		}
		cost, ok := h.cost(float64(job.Work) / span)
		if !ok {
			bound.Infeasible++
			continue
		}
		windows = append(windows, window{release, job.Deadline, float64(cost) * span})
	}
	bound.Forced = forcedMisses(windows, float64(gpus))
	return bound
}

type kind struct {
	model string
	batch int
}

func (j Job) kind() kind { return kind{j.Model, j.Batch} }

// forcedMisses is the greatest sum over disjoint spans of the jobs that must be given up in each.
func forcedMisses(windows []window, gpus float64) int {
	slices.SortStableFunc(windows, func(a, b window) int { return cmp.Compare(a.deadline, b.deadline) })
	var starts []Seconds
	for _, w := range windows {
		starts = append(starts, w.release)
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)

	// from[i] is the sum over spans that begin at starts[i] or later; after[j] is the first start
	// once the window j is over.
	from := make([]int, len(starts)+1)
	after := make([]int, len(windows))
	for j, w := range windows {
		after[j], _ = slices.BinarySearch(starts, w.deadline)
	}
	for i, start := range slices.Backward(starts) {
		from[i] = from[i+1]
		var kept demands
		total := 0.0
		misses := 0
		for j, w := range windows {
			if w.release < start {
				continue
			}
			heap.Push(&kept, w.demand)
			total += w.demand
			if total > gpus*float64(w.deadline-start)*(1+1e-12) {
				total -= heap.Pop(&kept).(float64)
				misses++
			}
			from[i] = max(from[i], misses+from[after[j]])
		}
	}
	return from[0]
}

// demands is a heap with the greatest on top.
type demands []float64

func (d demands) Len() int           { return len(d) }
func (d demands) Less(i, j int) bool { return d[i] > d[j] }
func (d demands) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *demands) Push(x any)        { *d = append(*d, x.(float64)) }

// Pop takes off the last, as container/heap asks for.
func (d *demands) Pop() any {
	last := (*d)[len(*d)-1]
	*d = (*d)[:len(*d)-1]
	return last
}
