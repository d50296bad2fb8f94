package reporting_test

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
)

// cannotRun has one of the workers wait for an image, or crash, from now on.
func cannotRun(w *fixture.Watched, pod string, phase corev1.PodPhase, reason, message string) {
	p := fixture.Get(w.T, w.Rooms, pod, &corev1.Pod{})
	p.Status.Phase = phase
	c := corev1.ContainerStatus{Name: "pytorch", RestartCount: 5}
	c.State.Waiting = &corev1.ContainerStateWaiting{Reason: reason, Message: message}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{c}
	if err := w.Rooms.Client.Status().Update(w.Context(), p); err != nil {
		w.Fatal(err)
	}
}

// The others wait for it, and tell nothing: what to do is to be read at once, and nobody takes that for a training that
// does not tell how far it is.
func TestAJobOfWhichOneWorkerCannotRun(t *testing.T) {
	w := fixture.Watch(t, func(float64) (progress.Sample, error) { return progress.Sample{}, progress.ErrNone })
	cannotRun(w, "resnet-worker-3", corev1.PodPending, "ImagePullBackOff", `Back-off pulling image "llm:lates"`)
	for range 4 {
		w.Minutes(10, 0)
		st := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
		if running := meta.FindStatusCondition(st.Conditions, v1alpha1.ConditionRunning); running == nil ||
			running.Status != metav1.ConditionTrue || running.Reason != memory.ReasonCannotRun ||
			!strings.HasPrefix(running.Message, "Worker resnet-worker-3 cannot run (ImagePullBackOff: ") ||
			!strings.HasSuffix(running.Message, " 3 workers run.") {
			t.Fatalf("%s: its workers run: %+v", w.At.Format("15:04"), running)
		}
		if want := `Worker resnet-worker-3 cannot run (ImagePullBackOff: Back-off pulling image "llm:lates"). Correct the ` +
			`name of its image, or let its namespace pull it.`; !strings.HasPrefix(st.Message, want) ||
			st.Verdict != v1alpha1.VerdictEstimating || strings.Contains(st.Message, "progress") {
			t.Fatalf("%s: %s: %s", w.At.Format("15:04"), st.Verdict, st.Message)
		}
	}
	if spent := w.Look().Known.Run.Account(nil, time.Time{}).Spent; len(spent) > 0 {
		t.Errorf("it is taken to have trained: %v", spent)
	}
}

// What a node says of a volume that it cannot mount is in its events alone.
func TestAJobOfWhichOneWorkerIsYetToRun(t *testing.T) {
	w := fixture.Watch(t, func(float64) (progress.Sample, error) { return progress.Sample{}, progress.ErrNone })
	job := fixture.Get(t, w.Rooms, w.Job, &kubeflow.PyTorchJob{})
	fixture.ResizedByRestart(job)
	if err := w.Rooms.Client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	cannotRun(w, "resnet-worker-3", corev1.PodPending, "ContainerCreating", "")
	w.Minutes(40, 0)
	st := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
	if !strings.HasPrefix(st.Message, "Worker resnet-worker-3 does not run yet, after ") ||
		!strings.Contains(st.Message, "kubectl -n team describe pod resnet-worker-3 says why.") ||
		st.Verdict != v1alpha1.VerdictEstimating || strings.Contains(st.Message, "progress") {
		t.Errorf("%s: %s", st.Verdict, st.Message)
	}
	if running := meta.FindStatusCondition(st.Conditions, v1alpha1.ConditionRunning); running == nil ||
		running.Reason != memory.ReasonYetToRun || !strings.HasPrefix(running.Message,
		"Worker resnet-worker-3 does not run yet: kubectl -n team describe pod resnet-worker-3 says why. ") {
		t.Errorf("its condition is %+v", running)
	}
	if spent := w.Look().Known.Run.Account(nil, time.Time{}).Spent; len(spent) > 0 {
		t.Errorf("it is taken to have trained: %v", spent)
	}
}

// One that crashes again and again counts as running to Kubernetes. The others may train without it: how fast they are
// then is no measure of all.
func TestAJobOfWhichOneWorkerCrashesAgainAndAgain(t *testing.T) {
	done, before := 0.0, time.Time{}
	var w *fixture.Watched
	w = fixture.Watch(t, func(float64) (progress.Sample, error) {
		speed := 10.0
		if w.At.Sub(fixture.Start) > 10*time.Minute {
			speed = 1
		}
		if !before.IsZero() {
			done += speed * w.At.Sub(before).Seconds()
		}
		before = w.At
		return progress.Sample{Done: done, Total: 216_000, Unit: "steps"}, nil
	})
	w.Minutes(10, 0)
	st := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
	if st.Verdict != v1alpha1.VerdictOnTrack {
		t.Fatalf("it begins with %s: %s", st.Verdict, st.Message)
	}
	cannotRun(w, "resnet-worker-3", corev1.PodRunning, "CrashLoopBackOff", "back-off")
	w.Minutes(20, 7)
	st = fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
	if st.Verdict != v1alpha1.VerdictAtRisk || st.Workers.Running != 3 ||
		!strings.HasPrefix(st.Message, "Worker resnet-worker-3 cannot run (CrashLoopBackOff: container pytorch was started "+
			"anew, 5 times). kubectl -n team logs resnet-worker-3") {
		t.Errorf("%s, %d run: %s", st.Verdict, st.Workers.Running, st.Message)
	}
	for _, s := range w.Look().Known.Run.Account(nil, time.Time{}).Speeds {
		if s.Measured && s.Shape.Workers == 4 && s.PerSecond < 9 {
			t.Errorf("four workers are taken to do %.1f steps a second", s.PerSecond)
		}
	}
}
