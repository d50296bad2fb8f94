package planning

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic"
)

// longestPause is how many times longer than one pod may have room a namespace gets none at most.
const longestPause = 32

// standings remember of namespaces what became of the room that their pods had which Takt does not look after. Names
// and owners of pods do not count here, so a new pod does not begin anew.
type standings struct {
	mu      sync.Mutex
	of      map[string]*standing
	waiting map[types.UID]bool // the pods that waited when it was looked at last
	looked  time.Time
}

// standing is that of one namespace. Where it has left more unused than it has used, its pods have room no sooner than
// after a pause, which becomes twice as long each time. The first time there is none: anybody may be wrong once.
type standing struct {
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

// pausedUntil is until when a pod of so many GPUs is to have no room; zero if it may.
func (s *standings) pausedUntil(pod *corev1.Pod, gpus elastic.GPUs, now time.Time) (until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.of[pod.Namespace]
	if of == nil || !now.Before(of.until) || of.attempts[gpus] != nil && of.attempts[gpus].proven {
		return time.Time{}
	}
	return of.until
}

// note takes what has come of the pods that waited, and which of those that wait now have room.
func (s *standings) note(now time.Time, within time.Duration, seen sighted) {
	s.mu.Lock()
	defer s.mu.Unlock()
	spent := now.Sub(s.looked)
	s.looked = now
	for _, pod := range seen.all {
		if s.waiting[pod.UID] && pod.Spec.NodeName != "" {
			t, gpus := s.attempt(pod, seen, now)
			t.used += gpus
			t.proven = t.proven || t.used >= t.left
		}
	}
	s.waiting = make(map[types.UID]bool, len(seen.waiting))
	for _, pod := range seen.waiting {
		s.waiting[pod.UID] = true
	}
	has := map[*attempt]elastic.GPUs{}
	for _, pod := range seen.roomy {
		t, gpus := s.attempt(pod, seen, now)
		has[t] += gpus
	}
	for namespace, of := range s.of {
		of.goOn(spent, has)
		of.judge(now, within)
		last := of.seen
		if of.until.After(last) {
			last = of.until
		}
		if now.Sub(last) > longestPause*within {
			delete(s.of, namespace)
		}
	}
}

// sighted is what is seen of pods that Takt does not look after: all that are there, those that wait for GPUs, and of
// these those that have room.
type sighted struct {
	all, waiting, roomy []*corev1.Pod
	gpus                func(*corev1.PodSpec) elastic.GPUs
}

func (s *standings) attempt(pod *corev1.Pod, seen sighted, now time.Time) (*attempt, elastic.GPUs) {
	of, gpus := s.of[pod.Namespace], seen.gpus(&pod.Spec)
	if of == nil {
		if s.of == nil {
			s.of = map[string]*standing{}
		}
		of = &standing{attempts: map[elastic.GPUs]*attempt{}}
		s.of[pod.Namespace] = of
	}
	if of.attempts[gpus] == nil {
		of.attempts[gpus] = &attempt{}
	}
	of.seen = now
	return of.attempts[gpus], gpus
}

// goOn takes that some time has gone by, and which pods have room now.
func (s *standing) goOn(spent time.Duration, has map[*attempt]elastic.GPUs) {
	shared := false
	for _, t := range s.attempts {
		if t.roomy && t.proven {
			t.spent += spent
		}
		shared = shared || t.roomy && !t.proven
		t.left, t.roomy = max(t.left, has[t]), has[t] > 0
	}
	if shared {
		s.spent += spent
	}
}

// judge ends the attempts that have lasted for long enough. Those that are not proven end together: who makes pods of
// many sizes gets no more time by that.
func (s *standing) judge(now time.Time, within time.Duration) {
	over, failed := s.spent >= within, false
	for _, t := range s.attempts {
		if t.proven && t.spent >= within || !t.proven && over && t.left > 0 {
			failed = failed || t.used < t.left
			*t = attempt{roomy: t.roomy, proven: t.used >= t.left}
		}
	}
	if over {
		s.spent = 0
	}
	if failed {
		s.until = now.Add(s.pause)
		s.pause = min(max(2*s.pause, within), longestPause*within)
	}
}
