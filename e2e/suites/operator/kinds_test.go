package operator

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/settings"
)

// cost is the pause that a Resize says it has cost; an error unless it has succeeded in a mode. A start costs
// nothing, and of a training that nobody has watched for a while the pause is not known.
func cost(r v1alpha1.Resize, mode v1alpha1.ResizeMode) (pause time.Duration, err error) {
	if err := errors.Join(world.Want("phase", world.Phase(r), v1alpha1.ConditionSucceeded),
		world.Want("mode", r.Spec.Mode, mode)); err != nil {
		return 0, fmt.Errorf("%s: %w", r.Name, err)
	}
	if r.Spec.From == 0 || r.Status.Cost.Pause == "" {
		return 0, nil
	}
	if pause, err = r.Status.Cost.Pause.Duration(); err != nil || pause <= 0 {
		return 0, fmt.Errorf("the pause of %s was %q", r.Name, r.Status.Cost.Pause)
	}
	return pause, nil
}

func TestTFJobWithParameterServersGrowsAndShrinksLive(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
		s.Planning.Payback = 0.1 // so that it grows, however long the first pause was
	}})
	w.Nodes(1, 4)
	how := code(48000)
	const restart = 3 * time.Second // much longer than it is from one advance to the next
	how.Restart.Duration = restart
	w.TFJob("bert", world.Job{Servers: 1, Max: 4, Suspended: true, Queue: "default", Training: how})
	running := func(want int) func() error {
		return func() error { return world.Want("running", w.Running("bert"), want) }
	}
	w.Eventually("it has all that is free", world.Later, running(4))
	settle(w, "bert")
	w.PlainPod("other", 2)
	w.Eventually("it gives back what another waits for", world.Soon, running(2))
	if err := w.History.Undisturbed("bert-ps-0", "bert-worker-0", "bert-worker-1"); err != nil {
		t.Error(err)
	}
	settle(w, "bert")
	w.Hurry("TFJob", "bert", how)
	w.Eventually("it finishes", world.Later, func() error {
		return world.IsTrue(w.Job("bert"), v1alpha1.ConditionSucceeded)
	})
	grown, shrunk, longest := false, false, time.Duration(0)
	for _, r := range world.Answered(w.Resizes("bert")) {
		grown = grown || r.Spec.From > 0 && r.Spec.To > r.Spec.From
		shrunk = shrunk || r.Spec.To < r.Spec.From
		pause, err := cost(r, v1alpha1.ResizeLive)
		if err != nil {
			t.Error(err)
		}
		longest = max(longest, pause)
	}
	if longest < restart-time.Second { // as progress is read once a second
		t.Errorf("the longest pause was %v, and a restart takes %v", longest, restart)
	}
	if !grown || !shrunk {
		t.Errorf("its Resizes tell that it has grown: %t, and that it has given something back: %t", grown, shrunk)
	}
}

// Many a training of one pod is written as a master without workers.
func TestMasterAloneGivesWayToADeadlineAndComesBack(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1)
	alone := func(job *unstructured.Unstructured) {
		unstructured.RemoveNestedField(job.Object, "spec", "pytorchReplicaSpecs", "Worker")
	}
	how := code(48000)
	w.PyTorchJob("patient", world.Job{
		Master: true, Cold: true, Suspended: true, Queue: "default", Training: how, Change: alone,
	})
	run(w, "patient", 1)
	settle(w, "patient")
	w.PyTorchJob("urgent", world.Job{
		Master: true, Cold: true, Suspended: true, Deadline: "8m", Training: code(400), Change: alone,
		Annotations: map[string]string{"takt.dev/expected": "1m at 1 worker"},
	})
	w.Eventually("it gives way", world.Later, func() error { return world.Want("running", w.Running("patient"), 0) })
	meet(t, w, "urgent")
	run(w, "patient", 1)
	w.Hurry("PyTorchJob", "patient", how)
	w.Eventually("it finishes", world.Later, func() error {
		return world.IsTrue(w.Job("patient"), v1alpha1.ConditionSucceeded)
	})
}

// hasGrown says that a job has got more workers while it trained.
func hasGrown(r v1alpha1.Resize) bool {
	return r.Spec.From > 0 && r.Spec.To > r.Spec.From && world.Phase(r) == v1alpha1.ConditionSucceeded
}

func TestColdJobIsResizedThroughSuspensionAndFinishesInTime(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kind   string
		master bool
	}{
		"TFJob":                    {kind: "TFJob"},
		"PyTorchJob":               {kind: "PyTorchJob"},
		"PyTorchJob with a master": {kind: "PyTorchJob", master: true},
		"Indexed Job":              {kind: "Job"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{Start: world.Operate})
			w.Nodes(1, 4)
			least := 1
			if tc.master {
				least = 2 // a master, and one worker at least
			}
			// At its smallest size it would take longer than it may.
			how := code(6400 * float64(least+1) / 2)
			w.Train(tc.kind, "job", world.Job{
				Master: tc.master, Cold: true, Min: least, Max: 4, Suspended: true, Deadline: "5m", Training: how,
			})
			if !extent.Long() {
				w.Eventually("it has grown", world.Later, func() error {
					if !slices.ContainsFunc(w.Resizes("job"), hasGrown) {
						return errors.New("it has not")
					}
					return nil
				})
				w.Hurry(tc.kind, "job", how)
			}
			verdictOf(w, "job", world.Later, v1alpha1.VerdictMet)

			all := w.Resizes("job")
			// One that was taken back says nothing of a resize, unless the training hung.
			resizes := slices.DeleteFunc(world.Answered(all), func(r v1alpha1.Resize) bool {
				end := r.Status.Conditions
				return world.Phase(r) == v1alpha1.ConditionRolledBack && end[len(end)-1].Reason != string(resize.NoProgress)
			})
			if !slices.ContainsFunc(resizes, hasGrown) {
				t.Fatal("it was never grown")
			}
			for _, r := range resizes {
				pause, err := cost(r, v1alpha1.ResizeCold)
				if pause > 0 && pause < time.Second {
					err = fmt.Errorf("%s is said to have cost %v, less than a restart", r.Name, pause)
				}
				if err != nil {
					t.Error(err)
				}
			}
			var want []int64
			for _, r := range resizes { // each through a stop, the first from one
				want = append(want, 0, int64(r.Spec.To))
			}
			got := w.History.Sizes(tc.kind, "job")
			if len(resizes) == len(all) && !slices.Equal(got, want) {
				t.Errorf("it was asked for sizes %v, want %v", got, want)
			}
			for i, size := range got {
				if (size == 0) != (i%2 == 0) {
					t.Errorf("it was asked for sizes %v, want each through a stop", got)
					break
				}
			}
			epoch := strconv.FormatInt(all[len(all)-1].Spec.Epoch, 10)
			for _, pod := range w.Workers("job") {
				if got := pod.Labels["takt.dev/epoch"]; got != epoch {
					t.Errorf("pod %s is of epoch %q, want %s", pod.Name, got, epoch)
				}
			}
		})
	}
}
