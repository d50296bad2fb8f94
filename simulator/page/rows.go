package page

import "cmp"

// rows gives each job a place on a chart with one row for each GPU. The places are chosen so that
// a job keeps its rows and has them side by side if that can be; they say nothing of nodes.
type rows struct {
	owner []int // by row: the job, or none
}

const none = -1

func newRows(n int) *rows {
	r := &rows{make([]int, n)}
	for i := range r.owner {
		r.owner[i] = none
	}
	return r
}

// run is rows side by side.
type run struct{ low, high int }

func (r run) size() int { return r.high - r.low }

// resize gives a job so many rows in place of those that it has, and returns them. If there are not
// so many, it gets what there is.
func (r *rows) resize(job, size int) []run {
	before := r.of(job)
	r.release(job)
	if size == 0 {
		return nil
	}
	free := r.of(none)
	// Within one run if there is one that is wide enough: there where the job has been, else in the
	// tightest.
	var best *run
	shared := 0
	for _, gap := range free {
		if gap.size() < size {
			continue
		}
		common := overlap(gap, before)
		better := best == nil || cmp.Or(-cmp.Compare(common, shared), cmp.Compare(gap.size(), best.size())) < 0
		if better {
			best, shared = &gap, common
		}
	}
	if best != nil {
		return r.take(job, []run{within(*best, before, size)})
	}
	var parts []run
	for size > 0 && len(free) > 0 {
		widest := 0
		for i, gap := range free {
			if gap.size() > free[widest].size() {
				widest = i
			}
		}
		part := run{free[widest].low, min(free[widest].high, free[widest].low+size)}
		parts = append(parts, part)
		size -= part.size()
		free = append(free[:widest], free[widest+1:]...)
	}
	return r.take(job, parts)
}

// within places a run of a size in a gap, as near as can be to where the job has been.
func within(gap run, before []run, size int) run {
	low := gap.low
	for _, b := range before {
		if overlap(gap, []run{b}) > 0 {
			low = min(max(b.low, gap.low), gap.high-size)
			break
		}
	}
	return run{low, low + size}
}

func overlap(gap run, others []run) int {
	common := 0
	for _, other := range others {
		common += max(0, min(gap.high, other.high)-max(gap.low, other.low))
	}
	return common
}

// of are the runs that a job has.
func (r *rows) of(job int) []run {
	var runs []run
	for i, owner := range r.owner {
		if owner != job {
			continue
		}
		if n := len(runs); n > 0 && runs[n-1].high == i {
			runs[n-1].high++
		} else {
			runs = append(runs, run{i, i + 1})
		}
	}
	return runs
}

func (r *rows) release(job int) {
	for i, owner := range r.owner {
		if owner == job {
			r.owner[i] = none
		}
	}
}

func (r *rows) take(job int, runs []run) []run {
	for _, run := range runs {
		for i := run.low; i < run.high; i++ {
			r.owner[i] = job
		}
	}
	return runs
}
