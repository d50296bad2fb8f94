package outsiders

import (
	"time"

	"github.com/takt-dev/takt/elastic"
)

// longestPause is how many times longer than one pod may have room a namespace gets none at most.
const longestPause = 32

// namespace is what became of the room that its pods had. Names and makers of pods do not count here, so a new pod does
// not begin anew. Where it has left more unused than it has used, its pods have room no sooner than after a pause,
// which becomes twice as long each time. The first time there is none: anybody may be wrong once.
type namespace struct {
	attempts map[elastic.GPUs]*attempt // by what each pod asks for
	spent    time.Duration             // for how long pods had room, of whatever size that is not proven
	pause    time.Duration             // how long the next one is
	until    time.Time                 // when the last one ends
	seen     time.Time                 // when any of its pods last had room, or used it
}

// attempt is of the pods of a namespace that ask for the same number of GPUs each. It is over when some of them have
// had room for as long, one after the other or together, as one pod may.
type attempt struct {
	spent time.Duration // of one that is proven
	roomy bool          // some of them had room when it was looked at last
	left  elastic.GPUs  // what they had room for at most at a time
	used  elastic.GPUs
	// proven says that they have used as much as was left to them, and have not failed since: no pause is theirs.
	proven bool
}

// PausedUntil is until when a pod is to have no room, for what others of its namespace have left unused; zero if it
// may have some.
func (r *Room) PausedUntil(pod Pod, now time.Time) (until time.Time) {
	n := r.namespaces[pod.Namespace]
	if n == nil || !now.Before(n.until) || n.attempts[pod.GPUs] != nil && n.attempts[pod.GPUs].proven {
		return time.Time{}
	}
	return n.until
}

// lookAtNamespaces takes what has come of the pods that waited, and which of those that wait now have room.
func (r *Room) lookAtNamespaces(within time.Duration, s Seen) {
	spent := s.Now.Sub(r.looked)
	r.looked = s.Now
	for pod := range s.All {
		if waited, did := r.waiting[pod.ID]; did && pod.Placed {
			a := r.attempt(waited, s.Now)
			a.used += waited.GPUs
			a.proven = a.proven || a.used >= a.left
		}
	}
	r.waiting = make(map[string]Pod, len(s.Waiting))
	for _, pod := range s.Waiting {
		r.waiting[pod.ID] = pod
	}
	has := map[*attempt]elastic.GPUs{}
	for _, pod := range s.Roomy {
		has[r.attempt(pod, s.Now)] += pod.GPUs
	}
	for name, n := range r.namespaces {
		n.goOn(spent, has)
		n.judge(s.Now, within)
		last := n.seen
		if n.until.After(last) {
			last = n.until
		}
		if s.Now.Sub(last) > longestPause*within {
			delete(r.namespaces, name)
		}
	}
}

func (r *Room) attempt(pod Pod, now time.Time) *attempt {
	n := r.namespaces[pod.Namespace]
	if n == nil {
		if r.namespaces == nil {
			r.namespaces = map[string]*namespace{}
		}
		n = &namespace{attempts: map[elastic.GPUs]*attempt{}}
		r.namespaces[pod.Namespace] = n
	}
	if n.attempts[pod.GPUs] == nil {
		n.attempts[pod.GPUs] = &attempt{}
	}
	n.seen = now
	return n.attempts[pod.GPUs]
}

// goOn takes that some time has gone by, and which pods have room now.
func (n *namespace) goOn(spent time.Duration, has map[*attempt]elastic.GPUs) {
	shared := false
	for _, a := range n.attempts {
		if a.roomy && a.proven {
			a.spent += spent
		}
		shared = shared || a.roomy && !a.proven
		a.left, a.roomy = max(a.left, has[a]), has[a] > 0
	}
	if shared {
		n.spent += spent
	}
}

// judge ends the attempts that have lasted for long enough. Those that are not proven end together: who makes pods of
// many sizes gets no more time by that.
func (n *namespace) judge(now time.Time, within time.Duration) {
	over, failed := n.spent >= within, false
	for _, a := range n.attempts {
		if a.proven && a.spent >= within || !a.proven && over && a.left > 0 {
			failed = failed || a.used < a.left
			*a = attempt{roomy: a.roomy, proven: a.used >= a.left}
		}
	}
	if over {
		n.spent = 0
	}
	if failed {
		n.until = now.Add(n.pause)
		n.pause = min(max(2*n.pause, within), longestPause*within)
	}
}
