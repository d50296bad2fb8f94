package page

import (
	"cmp"
	"slices"
)

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

// side is from where a job looks for rows. Jobs of one kind on each side make areas that can be
// seen where single bands are too thin.
type side int

const (
	bottom side = iota
	top
)

// resize gives a job so many rows in place of those that it has, and returns them. If there are not
// so many, it gets what there is.
func (r *rows) resize(job, size int, from side) []run {
	before := r.of(job)
	r.release(job)
	if size == 0 {
		return nil
	}
	free := r.of(none)
	if from == top {
		slices.Reverse(free)
	}
	// Within one run if there is one that is wide enough: there where the job has been, else the
	// first from its side.
	best, shared := -1, -1
	for i, gap := range free {
		if common := overlap(gap, before); gap.size() >= size && common > shared {
			best, shared = i, common
		}
	}
	if best >= 0 {
		return r.take(job, []run{within(free[best], before, size, from)})
	}
	// In pieces, the widest first.
	slices.SortStableFunc(free, func(a, b run) int { return cmp.Compare(b.size(), a.size()) })
	var pieces []run
	for _, gap := range free {
		if piece := within(gap, nil, min(size, gap.size()), from); size > 0 {
			pieces = append(pieces, piece)
			size -= piece.size()
		}
	}
	return r.take(job, pieces)
}

// within places a run of a size in a gap: where the job has been, as near as can be, else at the
// end on its side.
func within(gap run, before []run, size int, from side) run {
	low := gap.low
	if from == top {
		low = gap.high - size
	}
	for _, b := range before {
		if overlap(gap, []run{b}) > 0 {
			low = min(b.low, gap.high-size)
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
