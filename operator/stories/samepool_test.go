package stories

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// A training that runs when Takt first sees it says nothing of the kind of GPUs that it is to have. What joins it has
// the same, though others are free as well, and come first for the scheduler.
func TestWhatJoinsATrainingHasGPUsOfTheSameKind(t *testing.T) {
	l := newLoop(t)
	l.z.NodesWith("T4", "cheap", 1, 1)
	usual := habit.Animals()[0].Habits
	usual.Ran = time.Minute
	training := l.z.Add("job", usual, 1, 1, most)
	l.z.Clock.Run(l.z.Clock.Now().Add(time.Minute), training.Over)
	l.z.NodesWith("A100", "a", 1, 8)
	l.z.NodesWith("T4", "b", 1, 8)
	l.begin()
	deadline := l.z.Clock.Now().Add(training.Left(4))
	j := l.judge("job", "any", training, deadline, false)
	l.take("job", deadline)
	strangers := 0
	l.z.Clock.Every(time.Second, func() bool {
		var pods corev1.PodList
		if err := l.z.Server.List(t.Context(), &pods); err != nil {
			t.Fatal(err)
		}
		for _, pod := range pods.Items {
			if strings.HasPrefix(pod.Spec.NodeName, "a") {
				strangers++
			}
		}
		return !training.Over()
	})
	if l.until(j); j.resizes == 0 {
		t.Error("it has not grown: this proves nothing")
	}
	if strangers > 0 {
		t.Errorf("workers with other GPUs were seen %d times", strangers)
	}
}
