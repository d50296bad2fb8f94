package world_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// reported is what a job says of its progress: how much, and when.
type reported struct {
	done float64
	at   time.Time
}

var progress = regexp.MustCompile(`^(\d+)/\d+ steps at (\S+)$`)

func read(w *world.World, kind, name string) (reported, error) {
	text := w.Read(kind, name).GetAnnotations()[training.ProgressAnnotation]
	parts := progress.FindStringSubmatch(text)
	if parts == nil {
		return reported{}, fmt.Errorf("%s reports %q", name, text)
	}
	done, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return reported{}, err
	}
	at, err := time.Parse(time.RFC3339Nano, parts[2])
	return reported{done, at}, err
}

// advanced waits until a job has done so much, and gives its report.
func advanced(t *testing.T, w *world.World, kind, name string, least float64) reported {
	t.Helper()
	var now reported
	w.Eventually(fmt.Sprintf("%s has done %v steps", name, least), world.Soon, func() (err error) {
		if now, err = read(w, kind, name); err == nil && now.done < least {
			err = fmt.Errorf("it has done %v", now.done)
		}
		return err
	})
	return now
}

// reportedAfter waits for a report of a moment after the given one.
func reportedAfter(w *world.World, kind, name string, moment time.Time) reported {
	var now reported
	w.Eventually(fmt.Sprintf("%s reports again", name), world.Soon, func() (err error) {
		if now, err = read(w, kind, name); err == nil && !now.at.After(moment) {
			err = fmt.Errorf("it has last moved at %v", now.at)
		}
		return err
	})
	return now
}

// longestPause is the longest time between two reports.
func longestPause(t *testing.T, w *world.World, kind, name string) time.Duration {
	t.Helper()
	var longest time.Duration
	var last time.Time
	for _, r := range w.History.Of(kind, name) {
		parts := progress.FindStringSubmatch(r.Object.GetAnnotations()[training.ProgressAnnotation])
		if parts == nil {
			continue
		}
		at, err := time.Parse(time.RFC3339Nano, parts[2])
		if err != nil {
			t.Fatal(err)
		}
		if !last.IsZero() {
			longest = max(longest, at.Sub(last))
		}
		last = at
	}
	return longest
}

// goesAt waits until a job is seen to do so many steps a second, for three seconds. It may have restarted a moment ago,
// or be about to: those who play it may see later than the test which workers run.
func goesAt(w *world.World, kind, name string, want float64) {
	var from reported
	w.Eventually(fmt.Sprintf("%s does %v steps a second", name, want), world.Soon, func() error {
		now, err := read(w, kind, name)
		if err != nil {
			return err
		}
		took := now.at.Sub(from.at)
		if from.at.IsZero() || took < 3*time.Second {
			if from.at.IsZero() {
				from = now
			}
			return fmt.Errorf("it reports %v steps at %v", now.done, now.at)
		}
		speed := (now.done - from.done) / took.Seconds()
		from = now
		if speed < 0.9*want || speed > 1.1*want {
			return fmt.Errorf("it does %.1f", speed)
		}
		return nil
	})
}

func TestATrainingIsAsFastAsItsWorkersAndComesToItsEnd(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 8)
	how := world.Steps(80000, training.Speed{Base: 20, Scaling: 1})
	how.Restart = metav1.Duration{Duration: 2 * time.Second}
	w.PyTorchJob("resnet", world.Job{Workers: 2, Max: 4, Training: how})

	w.Eventually("two workers run", world.Soon, func() error { return world.Want("running", w.Running("resnet"), 2) })
	goesAt(w, "PyTorchJob", "resnet", 40)
	w.Patch(w.TrainingJob("PyTorchJob", "resnet"), `{"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":4}}}}`)
	w.Eventually("four workers run", world.Soon, func() error { return world.Want("running", w.Running("resnet"), 4) })
	goesAt(w, "PyTorchJob", "resnet", 80)
	if err := w.History.Undisturbed("resnet-worker-0", "resnet-worker-1"); err != nil {
		t.Error(err)
	}
	w.CatchUp(w.Read("PyTorchJob", "resnet"))
	if pause := longestPause(t, w, "PyTorchJob", "resnet"); pause < 2*time.Second {
		t.Errorf("it never stood still for longer than %v: the growth has cost it nothing", pause)
	}
	w.Hurry("PyTorchJob", "resnet", how) // nothing more is to be seen but its end
	w.Eventually("it succeeds", world.Soon, func() error {
		return world.Ended(w.Read("PyTorchJob", "resnet"), "Succeeded")
	})
	if last := advanced(t, w, "PyTorchJob", "resnet", 80000); last.done != 80000 {
		t.Errorf("it has done %v of 80000 steps", last.done)
	}
}

// A worker that finds its node when all is done holds no GPU for what nobody trains any more.
func TestAWorkerThatComesAfterTheEndEndsAsWell(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 1)
	how := world.Steps(60000, training.Measured(20))
	w.PyTorchJob("resnet", world.Job{Max: 2, Training: how})
	advanced(t, w, "PyTorchJob", "resnet", 20)
	w.Patch(w.TrainingJob("PyTorchJob", "resnet"), `{"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":2}}}}`)
	w.Eventually("the second worker is there, and waits", world.Soon, func() error {
		return world.Want("pods", len(w.Workers("resnet")), 2)
	})
	w.Hurry("PyTorchJob", "resnet", how)
	w.Eventually("it succeeds without its second worker", world.Soon, func() error {
		return world.Ended(w.Read("PyTorchJob", "resnet"), "Succeeded")
	})
	w.Eventually("the second worker has come and ended", world.Soon, func() error {
		for _, pod := range w.Workers("resnet") {
			if pod.Status.Phase != corev1.PodSucceeded {
				return fmt.Errorf("%s is %s", pod.Name, pod.Status.Phase)
			}
		}
		return world.Want("pods", len(w.Workers("resnet")), 2)
	})
}

func TestATrainingBreaks(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 8)
	how := world.Steps(100, training.Measured(50))
	how.FailAt = 0.5
	w.PyTorchJob("resnet", world.Job{Training: how, RestartPolicy: "Never"})
	w.Eventually("it fails", world.Soon, func() error { return world.Ended(w.Read("PyTorchJob", "resnet"), "Failed") })
	if last := advanced(t, w, "PyTorchJob", "resnet", 0); last.done != 50 {
		t.Errorf("it has done %v of 100 steps, want 50", last.done)
	}
}

func TestAJobThatIsSuspendedGoesOnFromItsCheckpoint(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 8)
	w.TFJob("mnist", world.Job{Workers: 2, Training: world.Steps(1e6, training.Measured(10, 20))})
	advanced(t, w, "TFJob", "mnist", 60) // after a checkpoint, which comes after 40
	w.Patch(w.TrainingJob("TFJob", "mnist"), `{"spec":{"runPolicy":{"suspend":true}}}`)
	w.Eventually("nobody works", world.Soon, func() error { return world.Want("pods", len(w.Workers("mnist")), 0) })
	stopped := time.Now()
	w.Patch(w.TrainingJob("TFJob", "mnist"), `{"spec":{"runPolicy":{"suspend":false}}}`)
	after := reportedAfter(w, "TFJob", "mnist", stopped)
	if after.done < 40 {
		t.Errorf("it goes on from %v steps, and has saved 40 at least", after.done)
	}
	advanced(t, w, "TFJob", "mnist", after.done+20)
}

func TestParameterServersLetWorkersComeAndGo(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 8)
	w.TFJob("ctr", world.Job{Workers: 2, Servers: 1, Training: world.Steps(1e6, training.Speed{Base: 20, Scaling: 1})})
	advanced(t, w, "TFJob", "ctr", 40)
	w.Patch(w.TrainingJob("TFJob", "ctr"), `{"spec":{"tfReplicaSpecs":{"Worker":{"replicas":1}}}}`)
	w.Eventually("one worker is left", world.Soon, func() error { return world.Want("pods", len(w.Workers("ctr")), 1) })
	goesAt(w, "TFJob", "ctr", 20)
}
