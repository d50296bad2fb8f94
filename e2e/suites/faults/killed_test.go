package faults

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

var (
	trainings = extent.Of(4, 12)
	hours     = extent.Of(1.0, 3.0) // that a training takes, each of them a minute here
	killedFor = extent.Of(time.Minute, 4*time.Minute)
)

// lives are for how long one process after the other is let live. It takes a second or two until it plans.
var lives = []time.Duration{
	4 * time.Second, 2 * time.Second, 7 * time.Second, 3 * time.Second, 5 * time.Second, time.Second,
}

// Trainings with all kinds of habits end in time though the process that looks after them is killed every few seconds,
// wherever it is at that moment. They have the GPUs that they were written for, and twice the time that they take: what
// is lost then is lost to the kills.
func TestDeadlinesAreMetThoughTheOperatorIsKilledAllTheTime(t *testing.T) {
	t.Parallel()
	const written, most = 2, 4
	w := world.New(t, world.Options{})
	config := configure(t, w.Namespace, func(*settings.Settings) {})
	operator := supervise(t, built(t), config, cluster.Shared().Kubeconfig())
	w.Nodes(1+(trainings*written-1)/8, 8)
	deadlines, names := map[string]time.Duration{}, map[string]string{}
	for i, animal := range drawn(t, trainings) {
		name := fmt.Sprintf("job-%d", i)
		how := training.Like(animal.Habits, written)
		deadlines[name], names[name] = (2*how.Takes(written) + 3*time.Minute).Truncate(time.Second), animal.Name
		t.Logf("%s is one that %q: it takes %v, and has %v", name, animal.Name, how.Takes(written), deadlines[name])
		w.PyTorchJob(name, world.Job{
			Workers: written, Max: most, Cold: animal.Cold, Suspended: true, Deadline: deadlines[name].String(),
			Guarantee: "BestEffort", Training: how,
		})
	}
	for until, i := time.Now().Add(killedFor), 0; time.Now().Before(until); i++ {
		pause(t, lives[i%len(lives)])
		operator.fall(t)
	}
	for name, deadline := range deadlines {
		w.Eventually(name+" ends", deadline+world.Soon, func() error {
			return world.Ended(w.Read("PyTorchJob", name), "Succeeded")
		})
	}
	for name, took := range w.Ends("PyTorchJob") {
		if took > deadlines[name] {
			t.Errorf("%s, which %s, has taken %v of %v", name, names[name], took, deadlines[name])
			t.Log(w.History.Story(name))
		}
	}
	if lost := promisesLost(w); len(lost) > 0 {
		t.Errorf("promises were lost: %v", lost)
	}
	t.Logf("%d processes have looked after %d jobs", operator.started(), trainings)
}

// drawn are some habits. A crash takes a restart that is none of Takt's.
func drawn(t *testing.T, n int) []habit.Animal {
	all := slices.DeleteFunc(habit.Animals(), func(a habit.Animal) bool {
		return a.Crashes > 0 || a.Ran > 0 || a.ExitsZero
	})
	var some []habit.Animal
	for i := range n {
		a := extent.One(t, all, fmt.Sprintf("training %d", i))
		a.Hours = min(a.Hours, hours)
		some = append(some, a)
	}
	return some
}
