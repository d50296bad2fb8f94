package reach

import (
	"slices"

	"github.com/takt-dev/takt/elastic/resize"
)

// Choice is which sizes of a range a job may have. One that says nothing is each of them.
type Choice struct {
	Sizes      []resize.Workers // in any order; none is all
	MultipleOf resize.Workers   // 0 is of any
}

// Chosen says that the job may not have every size of its range.
func (c Choice) Chosen() bool { return len(c.Sizes) > 0 || c.MultipleOf > 0 }

// within is a range from the smallest to the greatest size of another that the job may have.
func (c Choice) within(r Range) Range {
	if !c.Chosen() || r.none() {
		return r
	}
	sizes := c.of(r, 0)
	if len(sizes) == 0 {
		return Range{r.Most + 1, r.Most}
	}
	return Range{sizes[0], sizes[len(sizes)-1]}
}

// of are the sizes of a range that the job may have: some of them, where they are many.
func (c Choice) of(r Range, size resize.Workers) []resize.Workers {
	if len(c.Sizes) == 0 {
		return c.multiples(r, size)
	}
	var sizes []resize.Workers
	for _, n := range c.Sizes {
		if n >= r.Least && n <= r.Most && n%c.step() == 0 {
			sizes = append(sizes, n)
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// step is what each size of the job is a multiple of.
func (c Choice) step() resize.Workers { return max(c.MultipleOf, 1) }

// multiples are sizes of a range, as far as the job may have them by what they are to be a multiple of.
func (c Choice) multiples(r Range, size resize.Workers) []resize.Workers {
	step := c.step()
	sizes := thinned(Range{(max(r.Least, 1)-1)/step + 1, r.Most / step}, size/step)
	for i := range sizes {
		sizes[i] *= step
	}
	return sizes
}

// Candidates are the sizes of a range to plan with: those of it that the job may have, and some of them where they are
// many. What it runs with is among them, if it is within the range: it trains with that, so that nothing is lost by
// waiting until another size is worth a resize. A range in which there is none has its first, for which there is no
// room then.
func (j Job) Candidates(r Range, present resize.Workers) []resize.Workers {
	if j.Kept > 0 || !j.Asked.Chosen() {
		return thinned(r, present)
	}
	sizes := j.Asked.of(r, j.Size)
	if at, found := slices.BinarySearch(sizes, present); !found && present > 0 && present >= r.Least && present <= r.Most {
		sizes = slices.Insert(sizes, at, present)
	}
	if len(sizes) == 0 {
		return []resize.Workers{r.Least}
	}
	return sizes
}

// Above are sizes above one, up to another: those that the job may have, and such as it might be allowed in addition.
func (j Job) Above(size, most resize.Workers) []resize.Workers {
	last := j.Range().Most
	if !j.Asked.Chosen() || last <= size {
		return j.Asked.multiples(Range{size + 1, most}, j.Size)
	}
	may := j.Asked.of(Range{size + 1, min(last, most)}, j.Size)
	return slices.Concat(may, j.Asked.multiples(Range{last + 1, most}, j.Size))
}

// thinned are the sizes of a range to plan with: all of a small one, and fewer of a great one, since a plan does not
// need to tell 100 workers from 101. The present size is among them, if it is in the range.
func thinned(r Range, present resize.Workers) []resize.Workers {
	var sizes []resize.Workers
	for size, step := r.Least, resize.Workers(1); size <= r.Most; size += step {
		sizes = append(sizes, size)
		if size >= 16 {
			step = size / 8
		}
	}
	if n := len(sizes); n > 0 && sizes[n-1] != r.Most {
		sizes = append(sizes, r.Most)
	}
	if at, found := slices.BinarySearch(sizes, present); !found && present >= r.Least && present <= r.Most {
		sizes = slices.Insert(sizes, at, present)
	}
	return sizes
}
