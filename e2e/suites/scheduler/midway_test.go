package scheduler

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

var errNotThere = errors.New("it has not come there")

// Half a gang holds its nodes when the scheduler is killed. Nothing of that is left.
func TestSchedulerKilledWithHalfAGangOnHold(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	gate := keepGate(t, 1, "big-worker-5")
	s := scheduled(t, w, gate.configured)
	big := gang(t, w, change{job: "big", to: 8})
	gate.await(w)
	s.Kill()
	for _, name := range big.pods() {
		if pod := w.Pod(name); pod.Spec.NodeName != "" || pod.Status.NominatedNodeName != "" {
			t.Errorf("%s is on %q, and %q is kept for it", name, pod.Spec.NodeName, pod.Status.NominatedNodeName)
		}
	}
	// The next one finds the gang incomplete, and everybody else gets what the first had in mind.
	gate.open()
	remove(t, w, "big-worker-7")
	var others []string
	for i := range 8 {
		others = append(others, fmt.Sprintf("other-%d", i))
		plain(w, others[i], 1)
	}
	s.Start()
	for _, name := range others {
		w.Eventually(name+" has a node", world.Soon, func() error { return onNode(w, name) })
	}
	for _, name := range others {
		remove(t, w, name)
	}
	big.makePod(w, 7)
	placed(w, big)
	neverInPart(t, w, big)
}

// The last scheduler was killed while it bound a gang, whose turn it would not be otherwise: half of it is
// bound. The next one places the rest of it before anybody else.
func TestSchedulerFinishesWhatTheLastHasBegun(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	nodes := w.Nodes(2, 4)
	for i := range 5 {
		plain(w, fmt.Sprintf("other-%d", i), 1)
	}
	late := func(r *v1alpha1.Resize) { r.Spec.Priority = new(int32(-9)) }
	half := gang(t, w, change{job: "half", to: 6, resize: []func(*v1alpha1.Resize){late}})
	for i, node := range []string{nodes[0], nodes[0], nodes[1]} {
		to := &corev1.Binding{Target: corev1.ObjectReference{Kind: "Node", Name: node}}
		if err := w.Client.SubResource("binding").Create(t.Context(), w.Pod(half.pods()[i]), to); err != nil {
			t.Fatal(err)
		}
	}
	scheduled(t, w)
	placed(w, half)
	w.Eventually("the others have what is left", world.Soon, func() error {
		n := 0
		for i := range 5 {
			if onNode(w, fmt.Sprintf("other-%d", i)) == nil {
				n++
			}
		}
		return world.Want("others", n, 2)
	})
	neverInPart(t, w, half)
}

// A node goes while some pods of a gang hold it. All let go, and nothing is bound to it.
func TestSchedulerLosesANodeBetweenReserveAndBind(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	gate := keepGate(t, 1, "big-worker-5")
	s := scheduled(t, w, gate.configured)
	big := gang(t, w, change{job: "big", to: 6})
	gate.await(w)
	gone := gate.planned("big-worker-0")
	if gone == "" || gone == gate.planned("big-worker-5") {
		t.Fatalf("worker-0 was about to go to %q, and worker-5 to %q", gone, gate.planned("big-worker-5"))
	}
	if err := w.Client.Delete(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: gone}}); err != nil {
		t.Fatal(err)
	}
	w.Eventually("the scheduler has seen it", world.Soon, func() error {
		if !strings.Contains(s.Said(), fmt.Sprintf("\"Delete event for node\" node=%q", gone)) {
			return errNotThere
		}
		return nil
	})
	gate.open()
	told(w, big, 4)
	if n := bound(w, big); n > 0 {
		t.Errorf("%d pods are bound", n)
	}
	plain(w, "other", 4)
	w.Eventually("what was held is free", world.Soon, func() error { return onNode(w, "other") })
	remove(t, w, "other")
	w.Nodes(1, 4)
	placed(w, big)
	neverInPart(t, w, big)
	for _, r := range w.History.Since(0) {
		if pod, is := r.Object.(*corev1.Pod); is && pod.Spec.NodeName == gone {
			t.Errorf("%s was bound to a node that is gone", pod.Name)
		}
	}
}

// Its Resize goes while a gang is on its way, and while it waits. Nothing is held for it; as nobody tells
// it to go, it is placed without one after a while.
func TestSchedulerLosesTheResize(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	gate := keepGate(t, 1, "big-worker-5")
	s := scheduled(t, w, gate.configured, func(_, args object) { args["gangs"].(object)["orphan"] = "30s" })
	big := gang(t, w, change{job: "big", to: 8})
	gate.await(w)
	erase := func(c change) {
		t.Helper()
		if err := w.Client.Delete(t.Context(), resizeOf(w, c)); err != nil {
			t.Fatal(err)
		}
	}
	erase(big)
	w.Eventually("the scheduler has seen it", world.Soon, func() error {
		if !strings.Contains(s.Said(), "A gang lets go of its nodes") {
			return errNotThere
		}
		return nil
	})
	gate.open()
	plain(w, "other", 4)
	w.Eventually("what was held is free", world.Soon, func() error { return onNode(w, "other") })
	wait := gang(t, w, change{job: "wait", to: 8})
	told(w, wait, 4)
	erase(wait)
	small := gang(t, w, change{job: "small", to: 4})
	placed(w, small)
	if n := bound(w, big) + bound(w, wait); n > 0 {
		t.Errorf("%d pods without a Resize are bound", n)
	}
	end(t, w, small)
	remove(t, w, "other")
	w.Eventually("one of them is placed without", world.Soon, func() error {
		return world.Want("pods", bound(w, big)+bound(w, wait), 8)
	})
	neverInPart(t, w, big, wait)
}

// A job grows by four. While some of them hold their GPUs, a plain pod of the other scheduler takes what is
// left; then one of a higher priority does. Those that trained before notice nothing.
func TestSchedulerIsOvertakenInBetween(t *testing.T) {
	t.Parallel()
	for name, overtaker := range map[string]func(*corev1.Pod, *world.World){
		"by the other scheduler": func(pod *corev1.Pod, _ *world.World) {
			pod.Spec.SchedulerName = corev1.DefaultSchedulerName
		},
		"by a pod more important": func(pod *corev1.Pod, w *world.World) {
			important(pod)
			pod.Spec.SchedulerName = w.Namespace
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{})
			w.Nodes(1, 8)
			gate := keepGate(t, 2, "job-worker-3", "job-worker-4", "job-worker-5")
			s := scheduled(t, w, gate.configured)
			base := gang(t, w, change{job: "job", to: 2})
			placed(w, base)
			succeed(t, w, base)
			delta := gang(t, w, change{job: "job", epoch: 2, from: 2, to: 6})
			gate.await(w)
			w.PlainPod("other", 3, func(pod *corev1.Pod) { overtaker(pod, w) })
			w.Eventually("the scheduler has seen it", world.Soon, func() error {
				for _, seen := range []string{"unscheduled", "scheduled"} {
					if strings.Contains(s.Said(), fmt.Sprintf("\"Add event for %s pod\" pod=\"%s/other\"", seen, w.Namespace)) {
						return nil
					}
				}
				return errNotThere
			})
			gate.open()
			w.Eventually("it has its GPUs", world.Soon, func() error { return onNode(w, "other") })
			told(w, delta, 3)
			if n := bound(w, delta); n > 0 {
				t.Errorf("%d pods of the growth are bound", n)
			}
			remove(t, w, "other")
			placed(w, delta)
			neverInPart(t, w, delta)
			for _, name := range base.pods() {
				if err := w.History.Undisturbed(name); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func important(pod *corev1.Pod) { pod.Spec.PriorityClassName = "system-cluster-critical" }

// remove deletes a pod, and waits until it is gone.
func remove(t *testing.T, w *world.World, name string) {
	t.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: name}}
	if err := w.Client.Delete(t.Context(), pod, client.GracePeriodSeconds(0)); err != nil {
		t.Fatal(err)
	}
	w.Eventually(name+" is gone", world.Soon, func() error { return world.Want("its UID", w.Pod(name).UID, "") })
}
