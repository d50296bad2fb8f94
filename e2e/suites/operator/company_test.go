package operator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Trainings with habits of real ones share a cluster that has room for all that they can use. Whatever they tell, late
// or never, no resize of theirs is taken back, none is started again for it or made smaller, and all are in time.
func TestACompanyWithStrangeHabitsIsInTime(t *testing.T) {
	t.Parallel()
	const written, most = 2, 4
	w := world.New(t, world.Options{Start: world.Operate})
	quiet := func(a habit.Animal) bool { return a.Each || a.Tells == 0 || a.Tells >= time.Hour }
	loud := func(a habit.Animal) bool { return !quiet(a) }
	animals := slices.Concat(extent.Some(t, slices.DeleteFunc(habit.Animals(), loud), 2),
		extent.Some(t, slices.DeleteFunc(habit.Animals(), quiet), 4))
	w.Nodes(1+(len(animals)*most-1)/8, 8)
	deadlines := map[string]time.Duration{}
	for i, animal := range animals {
		name := fmt.Sprintf("job-%d", i)
		animal.Hours = min(animal.Hours, 1.5)
		how := training.Like(animal.Habits, written)
		deadlines[name] = (how.Takes(written)*3/2 + 4*time.Minute).Truncate(time.Second)
		t.Logf("%s is one that %q: it takes %v, and has %v", name, animal.Name, how.Takes(written), deadlines[name])
		w.PyTorchJob(name, world.Job{
			Workers: written, Max: most, Cold: animal.Cold, Suspended: true, Deadline: deadlines[name].String(),
			Guarantee: "BestEffort", Training: how,
		})
	}
	for name, deadline := range deadlines {
		w.Eventually(name+" ends", deadline+world.Soon, func() error {
			return world.Ended(w.Read("PyTorchJob", name), "Succeeded")
		})
	}
	for i, animal := range animals {
		name := fmt.Sprintf("job-%d", i)
		if took := w.Ends("PyTorchJob")[name]; took > deadlines[name] {
			t.Errorf("%s, which %s, has taken %v of %v", name, animal.Name, took, deadlines[name])
		}
		for _, harm := range harmed(w, name, animal.Cold) {
			t.Errorf("%s, which %s: %s", name, animal.Name, harm)
		}
		if t.Failed() {
			t.Log(w.History.Story(name))
		}
	}
}

// harmed is what was done to a job whose GPUs nobody else needs.
func harmed(w *world.World, name string, cold bool) (harm []string) {
	unharmed := []resize.Reason{resize.Withdrawn, resize.JobIsFinished, resize.JobAtItsEnd}
	starts := 1
	for _, r := range w.Resizes(name) {
		last := r.Status.Conditions[len(r.Status.Conditions)-1]
		size := fmt.Sprintf("%d→%d (%s)", r.Spec.From, r.Spec.To, r.Spec.Reason)
		if last.Type != v1alpha1.ConditionSucceeded && !slices.Contains(unharmed, resize.Reason(last.Reason)) &&
			!world.Unanswered(r) {
			harm = append(harm, fmt.Sprintf("%s has ended as %s: %s %s", size, last.Type, last.Reason, last.Message))
		}
		if r.Spec.To < r.Spec.From {
			harm = append(harm, fmt.Sprintf("%s: %s", size, r.Spec.Message))
		}
		if cold && r.Spec.From > 0 {
			starts++
		}
		if world.Unanswered(r) && (cold || r.Spec.From == 0) {
			starts++ // as all begin once more
		}
	}
	first := map[types.UID]bool{}
	for _, r := range w.History.Of("Pod", name+"-worker-0") {
		first[r.Object.GetUID()] = true
	}
	if len(first) > starts {
		harm = append(harm, fmt.Sprintf("its first worker was started %d times", len(first)))
	}
	return harm
}
