package resizing

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/operator/wrapping"
)

// faultEvery is how often a worker is looked at whose agent cannot be installed at the moment, and brokenOff after how
// long without a look nobody knows whether that was so all the while.
const (
	faultEvery = 10 * time.Second
	brokenOff  = 3 * faultEvery
)

// faults is since when this process sees, at each look, that the agents of pods cannot be installed. No pod tells that:
// its node may have been started anew an hour after it had come there.
type faults struct {
	mu sync.Mutex
	of map[types.UID]fault
}

type fault struct{ since, seen time.Time }

// since is since when something is in the way of the agent of a pod; now, if that is nothing.
func (f *faults) since(pod *corev1.Pod, now time.Time) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	for other, it := range f.of {
		if now.Sub(it.seen) > brokenOff {
			delete(f.of, other)
		}
	}
	if !wrapping.Faulty(pod) {
		delete(f.of, pod.UID)
		return now
	}
	it, known := f.of[pod.UID]
	if !known {
		it.since = now
	}
	if it.seen = now; f.of == nil {
		f.of = map[types.UID]fault{}
	}
	f.of[pod.UID] = it
	return it.since
}
