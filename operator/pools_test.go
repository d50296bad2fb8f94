package operator

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
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

func TestAJobThatWaitsStaysWhereItIsPlanned(t *testing.T) {
	fits := []capacity.Fit{{Pool: "roomy"}, {Pool: "planned"}, {Pool: "said"}}
	ej := elasticJob("resnet")
	s := &view.Subject{ElasticJob: ej, Known: &memory.Job{}}
	if got := plannedIn(s, fits); got != "roomy" {
		t.Errorf("at first it is planned in %q", got)
	}
	ej.Status = v1alpha1.ElasticJobStatus{Pool: "said"}
	if got := plannedIn(s, fits); got != "said" {
		t.Errorf("a process that has only just started plans it in %q", got)
	}
	s.Known.Decide(elastic.Outcome{Pool: "planned"}, time.Time{}, start)
	if got := plannedIn(s, fits); got != "planned" {
		t.Errorf("it was planned elsewhere, and is in %q now", got)
	}
	if got := plannedIn(s, fits[:1]); got != "roomy" {
		t.Errorf("the nodes where it was planned are gone, and it is in %q", got)
	}
}
