package outsiders

import (
	"iter"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// Pod is a pod that Takt does not look after.
type Pod struct {
	ID string
	// Maker is what has made it, or the pod itself: one that is made anew waits for the same.
	Maker     string
	Namespace string
	GPUs      elastic.GPUs // that it asks for, of one that waits
	Placed    bool         // it has a node
}

// Seen is what is seen of pods at one moment.
type Seen struct {
	Now time.Time
	All iter.Seq[Pod]
	// Waiting are those that wait for GPUs, and Roomy these of them that have room.
	Waiting, Roomy []Pod
}

// Room remembers since when pods have had room that they do not use, and what became of that which a namespace had.
type Room struct {
	makers     map[string]*use
	namespaces map[string]*namespace
	waiting    map[string]Pod // when it was looked at last
	looked     time.Time
}

// use is what is known of pods with one maker that have, or had, room to wait in.
type use struct {
	since  time.Time // when they got it
	idle   bool      // they have had it for long enough
	seen   time.Time // when there was last any pod of theirs
	placed int       // how many of them have nodes
}

// Idle says that pods of its maker have had room for long enough.
func (r *Room) Idle(pod Pod) bool {
	u := r.makers[pod.Maker]
	return u != nil && u.idle
}

// Look takes what is seen now, and returns those that have had room for so long that they wait for something else.
func (r *Room) Look(within time.Duration, s Seen) (idle []Pod) {
	r.lookAtNamespaces(within, s)
	return r.lookAtMakers(within, s)
}

// lookAtMakers remembers which pods have room now. Whose pods find nodes after all begins anew. Whose pods are gone for
// longer than they may have room is forgotten.
func (r *Room) lookAtMakers(within time.Duration, s Seen) (idle []Pod) {
	has, there, placed := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, pod := range s.Roomy {
		has[pod.Maker] = true
	}
	for pod := range s.All {
		if there[pod.Maker] = true; pod.Placed {
			placed[pod.Maker]++
		}
	}
	before := r.makers
	r.makers = make(map[string]*use, len(has))
	for maker, u := range before {
		switch {
		case placed[maker] > u.placed: // it uses its room
		case there[maker] && (u.idle || has[maker]):
			u.seen, u.placed = s.Now, placed[maker]
			r.makers[maker] = u
		case !there[maker] && s.Now.Sub(u.seen) < within: // another may be about to be made
			r.makers[maker] = u
		}
	}
	for maker := range has {
		if r.makers[maker] == nil {
			r.makers[maker] = &use{since: s.Now, seen: s.Now, placed: placed[maker]}
		}
	}
	for _, pod := range s.Roomy {
		if u := r.makers[pod.Maker]; s.Now.Sub(u.since) >= within {
			u.idle = true
			idle = append(idle, pod)
		}
	}
	return idle
}

// Next is when the first of the pods that have room will have had it for so long; zero if none has.
func (r *Room) Next(within time.Duration) (at time.Time) {
	for _, u := range r.makers {
		if end := u.since.Add(within); !u.idle && (at.IsZero() || end.Before(at)) {
			at = end
		}
	}
	return at
}
