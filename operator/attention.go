package operator

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/wording"
)

// tells sums up what events tell the reader of a job: what is written for Takt on it, what is asked of it, and who trains.
// While that is the same, the next look is due when it was.
func tells(s *subject, running []*corev1.Pod) uint64 {
	sum := fnv.New64a()
	fmt.Fprintln(sum, s.ej.Generation, s.object.GetGeneration())
	if r := s.active(); r != nil {
		fmt.Fprintln(sum, r.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(s.job.Annotations)) {
		if strings.HasPrefix(key, "takt.dev/") {
			fmt.Fprintln(sum, key, s.job.Annotations[key])
		}
	}
	for _, pod := range running {
		fmt.Fprintln(sum, pod.UID)
	}
	return sum.Sum64()
}

// rests is how long the next look is not due yet, as long as the same is told as at the last one.
func (r *remembered) rests(tells uint64, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tells != tells {
		return 0
	}
	return r.lookAt.Sub(now)
}

// restsFor has the next look be due after a while.
func (r *remembered) restsFor(tells uint64, now time.Time, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tells, r.lookAt = tells, now.Add(wait)
}

// found is what a look at the progress finds that others go by.
type found struct {
	source  v1alpha1.ProgressSource
	known   bool
	done    float64
	savedAt time.Time
	health  learn.Health
	says    string // without its figures
	givenUp bool
}

func foundBy(view learn.View) found {
	return found{
		source: view.Source, known: view.Known, done: view.Done, savedAt: view.SavedAt,
		health: view.Health, says: wording.WithoutFigures(view.Sentence), givenUp: view.GivenUp,
	}
}

// finds takes what a look has found, and says whether that is news: not only since the look has begun, as time alone has a
// reading go stale.
func (r *remembered) finds(is found) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.found
	r.found = is
	return was != is
}
