package world_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

func phase(w *world.World, name string) corev1.PodPhase {
	pod := &corev1.Pod{}
	if err := w.Client.Get(context.Background(), client.ObjectKey{Namespace: w.Namespace, Name: name}, pod); err != nil {
		return corev1.PodPhase(err.Error())
	}
	return pod.Status.Phase
}

func TestNobodyUsesTheNodesOfAnotherWorld(t *testing.T) {
	t.Parallel()
	full, empty := world.New(t, world.Options{}), world.New(t, world.Options{})
	full.Nodes(1, 4)
	nodes := empty.Nodes(1, 8)
	full.PlainPod("first", 4)
	full.PlainPod("second", 1)
	full.Eventually("the first pod runs", world.Soon, func() error {
		return world.Want("phase", phase(full, "first"), corev1.PodRunning)
	})
	full.Steadily("the second waits for its own world", 2*time.Second, func() error {
		return world.Want("phase", phase(full, "second"), corev1.PodPending)
	})
	empty.PlainPod("pod", 8)
	empty.Eventually("the pod runs on the node of its world", world.Soon, func() error {
		pod := &corev1.Pod{}
		if err := empty.Client.Get(t.Context(), client.ObjectKey{Namespace: empty.Namespace, Name: "pod"}, pod); err != nil {
			return err
		}
		return errors.Join(world.Want("node", pod.Spec.NodeName, nodes[0]),
			world.Want("phase", pod.Status.Phase, corev1.PodRunning))
	})
}

func TestALostNodeFallsSilentAndReturns(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	first := w.Nodes(1, 2)[0]
	w.PyTorchJob("resnet", world.Job{Workers: 2})
	w.Eventually("two workers run", world.Soon, func() error { return world.Want("running", w.Running("resnet"), 2) })
	advanced(t, w, "PyTorchJob", "resnet", 10)

	w.Lose(first)
	w.Eventually("its pods are told to go", world.Soon, func() error {
		return world.Want("running", w.Running("resnet"), 0)
	})
	before, since := reported{}, time.Now()
	w.Eventually("it comes to rest", world.Soon, func() error {
		now, err := read(w, "PyTorchJob", "resnet")
		if now != before {
			before, since = now, time.Now()
		}
		if time.Since(since) < 6*time.Second {
			return errors.New("it has just reported")
		}
		return err
	})
	w.Steadily("its pods cannot go, and do not train", 4*time.Second, func() error {
		now, err := read(w, "PyTorchJob", "resnet")
		return errors.Join(err, world.Want("pods", len(w.Workers("resnet")), 2), world.Want("progress", now, before))
	})

	w.Return(first)
	w.Eventually("the job has new workers", world.Soon, func() error {
		return world.Want("running", w.Running("resnet"), 2)
	})
	if w.History.Undisturbed("resnet-worker-0") == nil {
		t.Error("history does not tell that the first worker was made anew")
	}
}

func TestARemovedNodeTakesItsPodsWithIt(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	first := w.Nodes(1, 2)[0]
	w.PyTorchJob("resnet", world.Job{Workers: 2})
	w.Eventually("two workers run", world.Soon, func() error { return world.Want("running", w.Running("resnet"), 2) })
	w.Remove(first)
	w.Steadily("nobody has a place", time.Second, func() error { return world.Want("running", w.Running("resnet"), 0) })
	second := w.Nodes(1, 2)[0]
	w.Eventually("two workers run again", world.Soon, func() error {
		return world.Want("running", w.Running("resnet"), 2)
	})
	for _, worker := range w.Workers("resnet") {
		if worker.Spec.NodeName != second {
			t.Errorf("%s is on %s", worker.Name, worker.Spec.NodeName)
		}
	}
}

// note is an operator that writes numbered ConfigMaps, as fast as it is let.
func note(ctx context.Context, config *rest.Config, s settings.Settings) error {
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	maps := c.CoreV1().ConfigMaps(s.Namespaces[0])
	for i := 0; ctx.Err() == nil; i++ {
		name := fmt.Sprintf("note-%d-%d", time.Now().UnixNano(), i)
		if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}},
			metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("cannot take a note: %w", err)
		}
	}
	return nil
}

func TestAnOperatorCrashesAfterAnyWrite(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: note})
	w.KillOperator()
	// A write that was under way when the connection was cut may still come through.
	began := strconv.FormatInt(time.Now().UnixNano(), 10)
	notes := func() (n int) {
		var all corev1.ConfigMapList
		if err := w.Client.List(t.Context(), &all, client.InNamespace(w.Namespace)); err != nil {
			t.Fatal(err)
		}
		for _, item := range all.Items {
			if name, is := strings.CutPrefix(item.Name, "note-"); is && name > began {
				n++
			}
		}
		return n
	}
	w.StartOperatorThatCrashes(3)
	w.Eventually("it crashes", world.Soon, func() error { return world.Want("crashed", w.OperatorCrashed(), true) })
	w.StopOperator()
	if got := notes(); got != 3 {
		t.Errorf("it has written %d times before it crashed, want 3", got)
	}
	w.StartOperator()
	w.Eventually("it works again", world.Soon, func() error {
		if notes() > 3 {
			return nil
		}
		return errors.New("no further note")
	})
}

func TestAQueueAndAQuotaAreOfOneWorld(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	guaranteed := int32(4)
	name := w.Queue("research", v1alpha1.TrainingQueueSpec{Guaranteed: &guaranteed})
	queue := &v1alpha1.TrainingQueue{}
	if err := w.Client.Get(t.Context(), client.ObjectKey{Name: name}, queue); err != nil {
		t.Fatal(err)
	}
	if got := queue.Spec.NamespaceSelector.MatchLabels["kubernetes.io/metadata.name"]; string(got) != w.Namespace {
		t.Errorf("the queue is open to namespace %q", got)
	}
	w.Quota(1)
	w.Nodes(1, 8)
	w.PyTorchJob("resnet", world.Job{Workers: 3, Still: true})
	w.Eventually("one worker runs", world.Soon, func() error { return world.Want("running", w.Running("resnet"), 1) })
	w.Steadily("no other does", time.Second, func() error { return world.Want("pods", len(w.Workers("resnet")), 1) })
}
