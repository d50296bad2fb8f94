package operator

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// podRuns is an error unless a pod of no job runs.
func podRuns(w *world.World, name string) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: name}}
	if err := w.Client.Get(context.Background(), client.ObjectKeyFromObject(pod), pod); err != nil {
		return err
	}
	return world.Want("phase of "+name, pod.Status.Phase, corev1.PodRunning)
}

func TestPodsOfOthersThatWaitForGPUsGetThemFromTheJobWithMostSlack(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 8)
		how := world.Steps(40000, training.Speed{Base: 20, Scaling: 0.95}) // for longer than the test takes
		w.Train(kind, "patient", world.Job{Workers: 1, Min: 1, Max: 4, Suspended: true, Deadline: "3h", Training: how})
		w.Train(kind, "urgent", world.Job{Workers: 4, Min: 4, Max: 4, Suspended: true, Deadline: "20m", Training: how})
		run(w, "patient", 4)
		run(w, "urgent", 4)
		settle(w, "patient")
		settle(w, "urgent")
		stay := slices.Concat(w.Names("patient")[:2], w.Names("urgent"))
		other := w.PlainPod("other", 2)
		w.Eventually("the pod runs", world.Soon, func() error { return podRuns(w, "other") })
		run(w, "patient", 2)
		settle(w, "patient")
		if err := w.History.Undisturbed(stay...); err != nil {
			t.Error(err)
		}
		w.Delete(other)
		w.Eventually("the job has its GPUs back", world.Soon, func() error {
			if n := w.Running("patient"); n < 4 {
				return fmt.Errorf("it has %d workers", n)
			}
			return nil
		})
	})
}
