package elastic

import (
	"math"
	"slices"
)

// timeline is what is reserved of one pool from now on, and so what may still be. Segment i lasts
// from at[i] to at[i+1], the last one for ever.
type timeline struct {
	shares []share
	at     []Seconds
	used   [][]GPUs // by queue and segment
	common []GPUs   // by segment: what is left of the GPUs that no queue is guaranteed
	taken  []GPUs   // by segment, by all queues
	total  GPUs
	within *timeline // what there has to be room in as well, if there is another
	coarse bool      // segments are never split: reservations are rounded outwards to whole ones
}

// share is what one queue may have of a pool.
type share struct {
	guaranteed, limit GPUs
	mayBorrow         bool
}

const forever = Seconds(math.MaxFloat64)

// newTimeline makes an empty timeline. Moments after the first are where its segments begin, if it
// is to be a coarse one: the cost of a plan then grows with the number of jobs, not its square.
func newTimeline(common GPUs, shares []share, moments []Seconds) *timeline {
	t := &timeline{shares: shares, at: slices.Clone(moments), coarse: len(moments) > 1, total: common}
	t.common, t.taken = slices.Repeat([]GPUs{common}, len(moments)), make([]GPUs, len(moments))
	for _, s := range shares {
		t.total += s.guaranteed
		t.used = append(t.used, make([]GPUs, len(moments)))
	}
	return t
}

// room is what a queue may still have in a segment: no more than there is, as another queue may have borrowed for good
// what this one is guaranteed.
func (t *timeline) room(queue, segment int) GPUs {
	s, used := t.shares[queue], t.used[queue][segment]
	room := max(s.guaranteed-used, 0)
	if s.mayBorrow {
		room += max(t.common[segment], 0)
	}
	room = min(room, s.limit-used, t.total-t.taken[segment])
	if t.within != nil {
		room = min(room, t.within.least(queue, t.at[segment], t.end(segment)))
	}
	return room
}

// least is the least that a queue may still have at any time of a span.
func (t *timeline) least(queue int, from, to Seconds) GPUs {
	least := t.total
	for i := t.segment(from); i < len(t.at) && t.at[i] < to; i++ {
		least = min(least, t.room(queue, i))
	}
	return least
}

// end is when a segment is over.
func (t *timeline) end(segment int) Seconds {
	if segment+1 < len(t.at) {
		return t.at[segment+1]
	}
	return forever
}

// segment is the one that a moment lies in.
func (t *timeline) segment(at Seconds) int {
	i, found := slices.BinarySearch(t.at, at)
	if found || i == 0 {
		return i
	}
	return i - 1
}

// boundary is the first segment that begins at a moment or later; there is one after this.
func (t *timeline) boundary(at Seconds) int {
	i, found := slices.BinarySearch(t.at, at)
	if found || i == 0 || t.coarse {
		return i
	}
	t.at = slices.Insert(t.at, i, at)
	t.common = slices.Insert(t.common, i, t.common[i-1])
	t.taken = slices.Insert(t.taken, i, t.taken[i-1])
	for q, used := range t.used {
		t.used[q] = slices.Insert(used, i, used[i-1])
	}
	return i
}

// roundUp is the end of what is taken if it is taken until some moment.
func (t *timeline) roundUp(at Seconds) Seconds {
	if i, _ := slices.BinarySearch(t.at, at); t.coarse && i < len(t.at) {
		return t.at[i]
	}
	return at
}

// take adds to what a queue has in a span; a negative number gives back.
func (t *timeline) take(queue int, from, to Seconds, gpus GPUs) {
	if to <= from {
		return
	}
	first := t.segment(from)
	if !t.coarse {
		first = t.boundary(from)
	}
	last := t.boundary(to)
	guaranteed, used := t.shares[queue].guaranteed, t.used[queue]
	for i := first; i < last; i++ {
		borrowed := max(used[i]-guaranteed, 0)
		used[i] += gpus
		t.taken[i] += gpus
		t.common[i] -= max(used[i]-guaranteed, 0) - borrowed
	}
}

// soonest is when a queue may first have so many GPUs for some time.
func (t *timeline) soonest(queue int, length Seconds, gpus GPUs) (Seconds, bool) {
	begin := t.at[0]
	for i := range t.at {
		if t.room(queue, i) < gpus {
			begin = t.end(i)
		} else if begin+length <= t.end(i) {
			return begin, true
		}
	}
	return forever, false
}

// roomUntil is until when in a span a queue may have so many GPUs without a gap.
func (t *timeline) roomUntil(queue int, from, to Seconds, gpus GPUs) Seconds {
	for i := t.segment(from); i < len(t.at) && t.at[i] < to; i++ {
		if t.room(queue, i) < gpus {
			return t.at[i]
		}
	}
	return to
}

// has says whether a queue may have so many GPUs all through a span.
func (t *timeline) has(queue int, from, to Seconds, gpus GPUs) bool {
	return t.roomUntil(queue, from, to, gpus) >= to
}
