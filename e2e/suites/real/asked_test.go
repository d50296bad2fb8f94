package real

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// A training saves its state at its end, and else when it gets a signal, and says so on its pods. It is asked for a
// checkpoint before it gives two of its GPUs to others, and trains no step again: a step takes longer than Takt needs
// from the checkpoint to the shrink. Without the pattern, its checkpoint would be believed a step later, once it goes
// on. Those who stay start anew within their containers.
func TestRealTrainingSavesWhenItIsAsked(t *testing.T) {
	s := newStage(t)
	s.withAgent()
	j := job{
		name: "asked", deadline: 20 * time.Minute, least: 1, most: 4, workers: 4, steps: 45, sample: 300 * time.Millisecond,
		suspended: true, options: ", --checkpoint-every=1000, --save-on-signal",
		podSays: `takt.dev/save-signal: SIGUSR1, takt.dev/checkpoint-pattern: "^Saved checkpoint "`,
	}
	folder := s.submit(j)
	s.trains(folder, 4)
	s.hold("newcomer", 2)
	s.awaitPod("newcomer")
	s.trains(folder, 2)
	s.verdict(j.name, v1alpha1.VerdictMet, patience)
	all := records(t, folder)
	checkTraining(t, all, j.steps)
	for _, name := range []string{"asked-worker-0", "asked-worker-1"} {
		pod := &corev1.Pod{}
		if err := s.client.Get(t.Context(), client.ObjectKey{Namespace: s.namespace, Name: name}, pod); err != nil {
			t.Fatal(err)
		}
		for i := range pod.Status.ContainerStatuses {
			if n := pod.Status.ContainerStatuses[i].RestartCount; n > 0 {
				t.Errorf("the container of %s, which stays, was started %d times more", name, n)
			}
		}
	}
	history := rounds(all)
	if len(history) != 2 || history[0].workers != 4 || history[1].workers != 2 {
		t.Fatalf("it was trained by %v workers, want 4 and 2, each started once", sizes(history))
	}
	if again := history[0].last - history[1].first + 1; again != 0 {
		t.Errorf("%d steps were trained again", again)
	}
	s.checkResizes(j.name, history)
}
