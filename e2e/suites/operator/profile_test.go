package operator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// code is what several runs have in common: 20 steps a second with one worker, 70 with four.
func code(steps float64) training.Spec {
	return world.Steps(steps, training.Speed{Base: 20, Scaling: 0.9})
}

// statuses are all that were written about an ElasticJob, one after the other.
func statuses(w *world.World, name string) []v1alpha1.ElasticJobStatus {
	w.CatchUp(w.Job(name))
	var all []v1alpha1.ElasticJobStatus
	for _, r := range w.History.Of("ElasticJob", name) {
		if job := r.Object.(*v1alpha1.ElasticJob); r.Event != world.Gone && job.Status.Verdict != "" {
			all = append(all, job.Status)
		}
	}
	return all
}

// verdicts are those that were ever told of an ElasticJob, one after the other.
func verdicts(w *world.World, name string) []v1alpha1.Verdict {
	var all []v1alpha1.Verdict
	for _, s := range statuses(w, name) {
		all = append(all, s.Verdict)
	}
	return slices.Compact(all)
}

// verdictOf waits for a verdict.
func verdictOf(w *world.World, name string, limit time.Duration, want v1alpha1.Verdict) {
	w.Eventually(fmt.Sprintf("the verdict on %s is %s", name, want), limit, func() error {
		job := w.Job(name)
		if err := world.Want("verdict", job.Status.Verdict, want); err != nil {
			return fmt.Errorf("%w: %s", err, job.Status.Message)
		}
		return nil
	})
}

func profile(t *testing.T, w *world.World, name string) *v1alpha1.TrainingProfile {
	t.Helper()
	p := &v1alpha1.TrainingProfile{}
	if err := client.IgnoreNotFound(w.Client.Get(t.Context(), client.ObjectKey{Namespace: w.Namespace, Name: name},
		p)); err != nil {
		t.Fatal(err)
	}
	return p
}

// learned is a world in which a run of the code has ended that had every size from one to four.
func learned(t *testing.T) *world.World {
	t.Helper()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	w.PyTorchJob("first", world.Job{Max: 4, Suspended: true, Queue: "default", Profile: "resnet50", Training: code(5400)})
	w.Eventually("the first run ends", world.Later, func() error {
		return world.IsTrue(w.Job("first"), v1alpha1.ConditionSucceeded)
	})
	w.Eventually("its GPUs are free", world.Soon, func() error { return world.Want("running", w.Running("first"), 0) })
	w.Eventually("what it has learned is kept", world.Soon, func() error {
		sizes := map[int32]bool{}
		for _, s := range profile(t, w, "resnet50").Status.Speeds {
			sizes[s.Workers] = true
		}
		if len(sizes) < 2 {
			return fmt.Errorf("it knows the speed at %d sizes", len(sizes))
		}
		return nil
	})
	return w
}

func TestProfileOfOneRunMakesTheFirstVerdictOnTheNextRight(t *testing.T) {
	t.Parallel()
	w := learned(t)
	// One worker would take 400 s, two 214 s, and four take 115 s.
	w.PyTorchJob("second", world.Job{
		Max: 4, Suspended: true, Deadline: "4m", Profile: "resnet50",
		Annotations: map[string]string{training.ProgressAnnotation: "0/8000 steps"}, Training: code(8000),
	})
	verdictOf(w, "second", world.Later, v1alpha1.VerdictMet)

	told := verdicts(w, "second")
	if slices.Contains(told, v1alpha1.VerdictEstimating) || told[0] != v1alpha1.VerdictOnTrack {
		t.Errorf("the verdicts were %v, want OnTrack from the first on", told)
	}
	resizes := world.Answered(w.Resizes("second"))
	if len(resizes) != 1 || resizes[0].Spec.From != 0 || resizes[0].Spec.To < 3 {
		t.Errorf("it was not started at the right size at once: %v", w.History.Sizes("PyTorchJob", "second"))
	}
	first, last := statuses(w, "second")[0], w.Job("second").Status
	expected, errExpected := first.Prediction.ETA.Time()
	ended, errEnded := last.Prediction.ETA.Time()
	if err := errors.Join(errExpected, errEnded); err != nil {
		t.Fatal(err)
	}
	decided := w.Resizes("second")[0].CreationTimestamp.Time
	took := ended.Sub(decided)
	// How long its pods take to start is known once they have.
	started := ran(w, "second").Sub(decided)
	if early, late := expected.Sub(ended), ended.Sub(expected)-started; max(early, late) > took/4 {
		t.Errorf("it was expected to end at %v at first, and has ended at %v, after %v, of which its pods took %v to start",
			expected, ended, took, started)
	}
}

// ran is when the last worker of a job was started.
func ran(w *world.World, job string) (last time.Time) {
	for _, pod := range w.Workers(job) {
		if pod.Status.StartTime != nil && pod.Status.StartTime.After(last) {
			last = pod.Status.StartTime.Time
		}
	}
	return last
}

func TestImpossibleDeadlineOfKnownCodeIsInfeasibleFromTheStart(t *testing.T) {
	t.Parallel()
	w := learned(t)
	// Four workers take more than half an hour.
	w.PyTorchJob("second", world.Job{
		Max: 4, Suspended: true, Deadline: "10m", Guarantee: "BestEffort", Profile: "resnet50",
		Annotations: map[string]string{training.ProgressAnnotation: "0/150000 steps"}, Training: code(150000),
	})
	w.Eventually("it runs all the same", world.Soon, func() error {
		return world.Want("running", w.Job("second").Status.Workers.Running, 4)
	})
	if told := verdicts(w, "second"); !slices.Equal(told, []v1alpha1.Verdict{v1alpha1.VerdictInfeasible}) {
		t.Errorf("the verdicts were %v, want Infeasible from the first on", told)
	}
	if says := statuses(w, "second")[0].Message; !strings.Contains(says, "more time") ||
		!strings.Contains(says, "4 workers") {
		t.Errorf("it does not say what would do: %s", says)
	}
}

func TestJobsThatLearnAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 6)
	names := []string{"a", "b", "c", "d", "e", "f"}
	for _, name := range names {
		w.PyTorchJob(name, world.Job{Suspended: true, Queue: "default", Profile: "resnet50", Training: code(1600)})
	}
	for _, name := range names {
		w.Eventually(name+" ends", world.Later, func() error {
			return world.IsTrue(w.Job(name), v1alpha1.ConditionSucceeded)
		})
	}
	w.Eventually("the profile has a record of each", world.Soon, func() error {
		status := profile(t, w, "resnet50").Status
		for _, name := range names {
			if !slices.ContainsFunc(status.Speeds,
				func(s v1alpha1.MeasuredSpeed) bool { return strings.HasPrefix(s.Run, name+"-") }) {
				return fmt.Errorf("there is no speed of %s", name)
			}
		}
		return world.Want("jobs", int(status.Jobs), len(names))
	})
}
