package operator

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

// turns bound how many workers wait for the endpoints of one namespace. Nearly all readings take a moment,
// and need no turn. Those that are likely to wait do: of a job whose last reading was slow and, in a namespace
// that has had slow ones lately, of a job that nobody has read yet. Where many were slow that seemed quick,
// all readings of the namespace need one.
type turns struct {
	most     int           // turns of a namespace at a time
	slow     time.Duration // what a reading takes that waits
	mistaken int           // how many readings of a namespace may be slow that seemed quick

	mu sync.Mutex
	of map[string]*waiting
}

// waiting is what is known of the readings of one namespace.
type waiting struct {
	turns    int
	slowAt   time.Time // when the last slow reading ended
	mistaken int       // slow readings that seemed quick, since a moment
	since    time.Time
}

// turn is that of one reading. It must be given back.
type turn struct {
	namespace string
	held      bool
	at        time.Time
}

func newTurns(workers int, timeout time.Duration) *turns {
	return &turns{
		most: max(1, workers/shareOfWorkers), slow: timeout / slowPart, mistaken: workers,
		of: map[string]*waiting{},
	}
}

// take is the turn of a reading; false if it has to come again, since its namespace has as many as it may.
func (t *turns) take(namespace string, slow, read bool, now time.Time) (turn, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	in := t.in(namespace, now)
	held := slow || !read && recent(in.slowAt, now) || recent(in.since, now) && in.mistaken > t.mistaken
	if held && in.turns >= t.most {
		return turn{}, false
	}
	if held {
		in.turns++
	}
	return turn{namespace, held, now}, true
}

// give gives a turn back, and says whether the reading was slow.
func (t *turns) give(back turn, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	in, slow := t.in(back.namespace, now), now.Sub(back.at) >= t.slow
	if back.held {
		in.turns--
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
func (t *turns) in(namespace string, now time.Time) *waiting {
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
