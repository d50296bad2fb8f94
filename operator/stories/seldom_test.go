package stories

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// A training that told how far it is all the time, and tells it every five minutes by now, is not restarted for its
// silence after it was made smaller, though most of what it has told came fast.
func TestStoryATrainingThatHasBecomeSilentIsNotRestartedForIt(t *testing.T) {
	animals := habit.Strangers()
	animal := animals[slices.IndexFunc(animals, func(a habit.Animal) bool { return a.Seldom > 0 })]
	for _, after := range []time.Duration{14 * time.Minute, 20 * time.Minute} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			l := newLoop(t)
			l.z.Nodes(1, 8)
			l.begin()
			training := l.z.Add("job", animal.Habits, 1, 4, most)
			j := l.judge("job", animal.Name, training, l.z.Clock.Now().Add(20*time.Hour), false)
			l.take("job", j.deadline)
			l.play(after)
			zoo.Change(l.z.Server, l.elasticJob("job"), func(ej *v1alpha1.ElasticJob) {
				ej.Generation++
				ej.Spec.Workers.Max = new(int32(4))
			})
			l.until(j)
			j.blame(t)
		})
	}
}
