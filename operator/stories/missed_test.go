package stories

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// begunWithin is how long a Resize may take to be begun that nobody heard of.
const begunWithin = 2 * time.Minute

// Whoever misses events finds out by itself, soon: no Resize waits for another event, and nobody for a plan.
func TestStoryWhatNobodyHeardOfIsFoundOut(t *testing.T) {
	for _, seed := range extent.Some(t, []uint64{0, 1, 2, 3}, 2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 14))
			l := newLoop(t)
			l.misses = func() bool { return random.IntN(4) > 0 }
			l.z.Nodes(2, 4)
			l.begin()
			waits := map[string]time.Time{} // the Resizes that are not begun, and when they were made
			l.z.Server.Watch(func(_, after client.Object) {
				if r, is := after.(*v1alpha1.Resize); is && len(r.Status.Conditions) > 0 {
					delete(waits, r.Name)
				} else if is {
					waits[r.Name] = l.z.Clock.Now()
				}
			})
			var all []*zoo.Training
			habits := habit.Animals()[0].Habits
			habits.Hours = 1
			for i := range 4 {
				name := fmt.Sprintf("job-%d", i)
				training := l.z.Add(name, habits, 1, 2, most)
				all = append(all, training)
				l.take(name, l.z.Clock.Now().Add(3*training.Takes(2)))
			}
			l.z.Clock.Every(time.Minute, func() bool {
				for name, made := range waits {
					if l.z.Clock.Now().Sub(made) > begunWithin {
						t.Errorf("%s: %s was made at %s, and is not begun", l.z.Clock.Now().Format(time.TimeOnly), name,
							made.Format(time.TimeOnly))
						delete(waits, name)
					}
				}
				return true
			})
			l.z.Clock.Run(l.z.Clock.Now().Add(8*time.Hour), func() bool {
				for _, training := range all {
					if !training.Over() {
						return false
					}
				}
				return true
			})
			for i, training := range all {
				if !training.Over() {
					t.Errorf("job %d has not ended", i)
				}
			}
		})
	}
}
