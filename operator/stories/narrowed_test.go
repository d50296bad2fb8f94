package stories

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// A training whose range is narrowed while it has the cluster for itself goes to the most workers that it may have, and
// stays there, whatever its habits are and whenever that is.
func TestStoryATrainingWhoseRangeIsNarrowedHasTheMostThatItMayHave(t *testing.T) {
	animals := habit.Animals()
	if testing.Short() {
		animals = fourOf(animals, sample(t).Uint64())
	}
	for _, animal := range animals {
		for _, after := range []time.Duration{10 * time.Second, 2 * time.Minute, 15 * time.Minute} {
			t.Run(fmt.Sprintf("%s, after %s", animal.Name, after), func(t *testing.T) { narrowed(t, animal, after) })
		}
	}
}

func narrowed(t *testing.T, animal habit.Animal, after time.Duration) {
	const most = 2
	l := newLoop(t)
	l.z.Nodes(1, 4)
	animal.Ran, animal.Hours = 0, min(animal.Hours, 2)
	training := l.z.Add("job", animal.Habits, 1, 4, 4)
	name, least := types.NamespacedName{Namespace: zoo.Namespace, Name: "job"}, 4
	l.take("job", l.z.Clock.Now().Add(100*time.Hour))
	l.begin()
	run := func(span time.Duration) { l.z.Clock.Run(l.z.Clock.Now().Add(span), training.Over) }
	l.z.Clock.Run(l.z.Clock.Now().Add(time.Hour), func() bool { return training.Crew() == 4 })
	run(after)
	var ej v1alpha1.ElasticJob
	if err := l.z.Server.Get(t.Context(), name, &ej); err != nil {
		t.Fatal(err)
	}
	ej.Spec.Workers.Max = new(int32(most))
	if err := l.z.Server.Update(t.Context(), &ej); err != nil {
		t.Fatal(err)
	}
	l.z.Clock.Every(time.Second, func() bool {
		if n := training.Crew(); n > 0 {
			least = min(least, n)
		}
		return !training.Over()
	})
	run(5*time.Minute + animal.Compiles + 3*animal.Tells)
	if got := training.Crew(); got != most && !training.Over() || least < most {
		t.Errorf("it has %d workers, and had %d meanwhile, want %d", got, least, most)
	}
}
