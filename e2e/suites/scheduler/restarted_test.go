package scheduler

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// A job is stopped to be started anew with one worker fewer, while a plain pod and a gang wait for GPUs. Neither gets
// what the job leaves, though nobody asks for that for a while; and then the job has it back. What it is not to have
// back others get at once.
func TestSchedulerKeepsWhatAJobLeavesThatIsStartedAnew(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 4)
	scheduled(t, w)
	was := gang(t, w, change{job: "resnet", to: 4})
	placed(w, was)
	succeed(t, w, was)
	from4 := func(r *v1alpha1.Resize) { r.Spec.From, r.Spec.Mode = 4, v1alpha1.ResizeCold }
	anew := change{job: "resnet", epoch: 2, to: 3, resize: []func(*v1alpha1.Resize){from4}}
	propose(t, w, &anew)
	plain(w, "thief", 3)
	other := gang(t, w, change{job: "other", to: 2})
	told(w, other, 0) // by then the scheduler knows the Resize of before
	plain(w, "modest", 1)
	for _, name := range was.pods() {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: name}}
		if err := w.Client.Delete(t.Context(), pod, client.GracePeriodSeconds(30)); err != nil {
			t.Fatal(err)
		}
	}
	w.Eventually("the modest one has what the job gives back", world.Soon, func() error { return onNode(w, "modest") })
	for _, name := range was.pods() {
		w.Eventually(name+" is gone", world.Soon, func() error { return world.Want("its UID", w.Pod(name).UID, "") })
	}
	taken := func() error {
		for _, name := range append(other.pods(), "thief") {
			if node := w.Pod(name).Spec.NodeName; node != "" {
				return fmt.Errorf("%s is on %s", name, node)
			}
		}
		return nil
	}
	w.Steadily("nobody gets the rest", time.Second, taken)
	for i := range anew.to {
		anew.makePod(w, i)
	}
	placed(w, anew)
	if err := taken(); err != nil {
		t.Error(err)
	}
	succeed(t, w, anew)
	remove(t, w, "thief")
	end(t, w, anew)
	placed(w, other)
}
