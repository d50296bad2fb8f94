package reading

import (
	"sync"
	"time"
)

const (
	// shareOfWorkers is what part of the workers a namespace may have waiting: a quarter.
	shareOfWorkers = 4
	// slowPart is what part of the time that a reading may take makes it slow: a fifth.
	slowPart = 5
	// lately is how long slow readings are remembered of a namespace.
	lately = 10 * time.Minute
)

// Turns bound how many workers wait for the endpoints of one namespace. Nearly all readings take a moment,
// and need no turn. Those that are likely to wait do: of a job whose last reading was slow and, in a namespace
// that has had slow ones lately, of a job that nobody has read yet. Where many were slow that seemed quick,
// all readings of the namespace need one.
//
// Those that wait for a turn come again one after the other, as often as turns are given back: were each to ask every
// few seconds, thousands that wait would take more of the processor than all that are read.
type Turns struct {
	most     int           // turns of a namespace at a time
	longest  time.Duration // that one waits until it asks again
	slow     time.Duration // what a reading takes that waits
	mistaken int           // how many readings of a namespace may be slow that seemed quick

	mu sync.Mutex
	of map[string]*waiting
}

// waiting is what is known of the readings of one namespace.
type waiting struct {
	turns    int
	took     time.Duration // the last reading that had a turn
	line     time.Time     // when the last of those asks again that wait for a turn
	slowAt   time.Time     // when the last slow reading ended
	mistaken int           // slow readings that seemed quick, since a moment
	since    time.Time
}

// Turn is that of one reading. It must be given back.
type Turn struct {
	namespace string
	held      bool
	at        time.Time
}

// NewTurns are those of so many workers, for readings that take no longer than a timeout.
func NewTurns(workers int, timeout, longest time.Duration) *Turns {
	return &Turns{
		most: max(1, workers/shareOfWorkers), slow: timeout / slowPart, mistaken: workers, longest: longest,
		of: map[string]*waiting{},
	}
}

// Take is the turn of a reading. If its namespace has as many as it may, it has to come again after a while.
func (t *Turns) Take(namespace string, slow, read bool, now time.Time) (Turn, time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	in := t.in(namespace, now)
	held := slow || !read && recent(in.slowAt, now) || recent(in.since, now) && in.mistaken > t.mistaken
	if held && in.turns >= t.most {
		return Turn{}, t.place(in, now)
	}
	if held {
		in.turns++
	}
	return Turn{namespace, held, now}, 0
}

// place is how long one more has to wait that finds no turn: until those before it have had theirs. A line that would
// be too long begins anew at its front, so that with each turn that is given back somebody asks for it.
func (t *Turns) place(in *waiting, now time.Time) time.Duration {
	each := max(in.took, t.slow) / time.Duration(t.most)
	if in.line = in.line.Add(each); in.line.Before(now) || in.line.Sub(now) > t.longest {
		in.line = now.Add(each)
	}
	return in.line.Sub(now)
}

// Give gives a turn back, and says whether the reading was slow.
func (t *Turns) Give(back Turn, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	in, slow := t.in(back.namespace, now), now.Sub(back.at) >= t.slow
	if back.held {
		in.turns, in.took = in.turns-1, now.Sub(back.at)
	}
	if slow {
		in.slowAt = now
	}
	if slow && !back.held {
		if !recent(in.since, now) {
			in.since, in.mistaken = now, 0
		}
		in.mistaken++
	}
	return slow
}

// in is what is known of a namespace. A new one has those forgotten of which there is nothing to know.
func (t *Turns) in(namespace string, now time.Time) *waiting {
	in := t.of[namespace]
	if in == nil {
		for name, other := range t.of {
			if other.turns == 0 && !recent(other.slowAt, now) && !recent(other.since, now) {
				delete(t.of, name)
			}
		}
		in = &waiting{}
		t.of[namespace] = in
	}
	return in
}

// recent says that a moment lies not far back.
func recent(at, now time.Time) bool { return !at.IsZero() && now.Sub(at) < lately }
