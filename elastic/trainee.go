package elastic

import (
	"cmp"
	"slices"
)

// trainee is a job of a plan: what is known of it, and what the plan makes of it so far.
type trainee struct {
	Job
	queue int
	gpus  GPUs // of one worker

	thrifty []Size  // its sizes, those first that need the least GPU time for a piece of work
	least   float64 // the GPU time that its work takes at the thriftiest size
	rework  Work    // what a change of size loses

	spans   []Span // its reservation, or plan
	planned bool   // there is one
	promise bool   // it is a promise
	doomed  bool   // there cannot be one, even with the whole pool
	now     Workers
	why     Reason
	held    Reason // why it does not grow
}

// rounding is what sums of spans may be off: new reservations end by so much earlier.
const rounding = Seconds(1e-3)

func newTrainee(job Job) *trainee {
	j := &trainee{Job: job, gpus: max(job.GPUsPerWorker, 1)}
	j.Sizes = useful(job.Sizes)
	return j
}

// measure works out what follows from the sizes.
func (j *trainee) measure() {
	if j.known() {
		j.thrifty = slices.SortedStableFunc(slices.Values(j.Sizes), func(a, b Size) int {
			return cmp.Compare(float64(a.Workers)/float64(a.Speed), float64(b.Workers)/float64(b.Speed))
		})
		j.least = float64(j.Left) * float64(j.need(j.thrifty[0].Workers)) / float64(j.thrifty[0].Speed)
		j.rework = Work(float64(j.Rework) * float64(j.size(j.Workers).Speed))
	}
}

// useful leaves out sizes that are no faster than a smaller one. Sizes without speeds are left as
// they are if there are no others.
func useful(sizes []Size) []Size {
	var kept []Size
	for _, s := range sizes {
		if s.Speed > 0 && (len(kept) == 0 || s.Speed > kept[len(kept)-1].Speed) {
			s.Expected = cmp.Or(s.Expected, s.Speed)
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return sizes[:min(1, len(sizes))]
	}
	return kept
}

// known says whether anything is known of the job's speed and work.
func (j *trainee) known() bool {
	return len(j.Sizes) > 0 && j.Sizes[0].Speed > 0 && !j.UnknownWork
}

func (j *trainee) due() Seconds {
	if j.Promised {
		return *j.Deadline
	}
	return *j.Deadline - rounding
}

func (j *trainee) need(w Workers) GPUs { return GPUs(w) * j.gpus }

// size is the one with so many workers; a size that the job no longer may have has no speed.
func (j *trainee) size(w Workers) Size {
	for _, s := range j.Sizes {
		if s.Workers == w {
			return s
		}
	}
	return Size{Workers: w}
}

// largest is the greatest size that needs at most so many GPUs; none has no workers.
func (j *trainee) largest(gpus GPUs) Size {
	for _, s := range slices.Backward(j.Sizes) {
		if j.need(s.Workers) <= gpus {
			return s
		}
	}
	return Size{}
}

// next is the smallest size with more workers.
func (j *trainee) next(w Workers) (Size, bool) {
	for _, s := range j.Sizes {
		if s.Workers > w {
			return s, true
		}
	}
	return Size{}, false
}

// train is how long work takes at a size.
func (s Size) train(w Work) Seconds { return Seconds(float64(w) / float64(s.Speed)) }
