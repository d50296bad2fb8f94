package elastic

import "slices"

// GPUs is how many GPUs so many workers of a job take: its leaders may take none.
func (j Job) GPUs(w Workers) GPUs { return GPUs(j.Using(w)) * max(j.GPUsPerWorker, 1) }

// Using is how many of so many workers of a job take GPUs.
func (j Job) Using(w Workers) Workers { return max(w-j.Leaders, 0) }

// withoutLeaders plans for the workers that take GPUs, as if those that take none were not there: they need no room
// among what is shared out. What is decided then counts all of them.
func (s Snapshot) withoutLeaders(plan func(Snapshot) Decision) Decision {
	if !slices.ContainsFunc(s.Jobs, func(j Job) bool { return j.Leaders > 0 }) {
		return plan(s)
	}
	are := s.Jobs
	s.Jobs = slices.Clone(are)
	for i, j := range are {
		s.Jobs[i] = j.withoutLeaders()
	}
	d := plan(s)
	leaders := map[string]Workers{}
	for i := range d.Jobs {
		o, more := &d.Jobs[i], are[i].Leaders
		leaders[are[i].Name] = more
		o.Workers, o.Reserved = beside(o.Workers, more), besideIn(o.Reserved, more)
	}
	for i := range d.Resizes {
		r := &d.Resizes[i]
		r.From, r.To = beside(r.From, leaders[r.Job]), beside(r.To, leaders[r.Job])
	}
	return d
}

// withoutLeaders is a job of which all workers take GPUs.
func (j Job) withoutLeaders() Job {
	less := -j.Leaders
	j.Led, j.Leaders = j.Leaders, 0
	j.Workers, j.Written, j.MayHave = beside(j.Workers, less), beside(j.Written, less), beside(j.MayHave, less)
	j.Sizes, j.Reserved = besideAt(j.Sizes, less), besideIn(j.Reserved, less)
	j.Elsewhere = slices.Clone(j.Elsewhere)
	for i := range j.Elsewhere {
		j.Elsewhere[i].Sizes = besideAt(j.Elsewhere[i].Sizes, less)
	}
	if j.Changes != nil {
		j.Changes = new(*j.Changes)
		j.Changes.From = beside(j.Changes.From, less)
	}
	if j.Awaits != nil {
		j.Awaits = new(*j.Awaits)
		j.Awaits.Workers = beside(j.Awaits.Workers, less)
	}
	if j.Ungrown != nil {
		j.Ungrown = new(*j.Ungrown)
		j.Ungrown.Spare = beside(j.Ungrown.Spare, less)
	}
	var leave []int
	for _, index := range j.Leave {
		if index += int(less); index >= 0 {
			leave = append(leave, index)
		}
	}
	j.Leave = leave
	return j
}

// beside is a size with so many more workers, or fewer where that is below zero. A job without workers has none at all.
func beside(w, more Workers) Workers {
	if w <= 0 {
		return w
	}
	return max(w+more, 0)
}

func besideAt(sizes []Size, more Workers) []Size {
	sizes = slices.Clone(sizes)
	for i := range sizes {
		sizes[i].Workers = beside(sizes[i].Workers, more)
	}
	return sizes
}

func besideIn(spans []Span, more Workers) []Span {
	spans = slices.Clone(spans)
	for i := range spans {
		spans[i].Workers = beside(spans[i].Workers, more)
	}
	return spans
}

// count is a number of workers that take GPUs as people are told it: with its leaders.
func (j Job) count(w Workers) string { return Count(beside(w, j.Led)) }
