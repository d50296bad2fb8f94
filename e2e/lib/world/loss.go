package world

import (
	"errors"
	"fmt"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	mergePatch     = types.MergePatchType
	strategicPatch = types.StrategicMergePatchType
)

// Lose cuts a node off, as when its kubelet dies or the network to it: nothing is heard of it any
// more, and nothing that is asked of its pods happens.
//
// KWOK plays a node as long as it holds the node's lease; here somebody else takes the lease, and
// does not renew it. What the node lifecycle controller does after minutes of silence is done at
// once: the node's condition Ready becomes Unknown, and that of its pods False. From there on the
// real controllers act: they taint the node as unreachable and delete the pods that do not tolerate
// it, which stay Terminating until the node returns or is removed.
func (w *World) Lose(name string) {
	w.t.Helper()
	w.leaveAlone(name, `"custom"`)
	lease := w.lease(name)
	patch := fmt.Appendf(nil, `{"spec":{"holderIdentity":"nobody","leaseDurationSeconds":86400},
		"metadata":{"annotations":{"takt-test/holder":%q}}}`, *lease.Spec.HolderIdentity)
	w.must(w.Client.Patch(w.t.Context(), lease, client.RawPatch(mergePatch, patch)))
	// KWOK may take this back as long as it has not heard of the lease.
	w.Eventually("node "+name+" is known to be unreachable", Soon, func() error {
		node := w.getNode(name)
		if readiness(node) != corev1.ConditionUnknown {
			w.setReady(name, corev1.ConditionUnknown, "NodeStatusUnknown")
		}
		ready := func(c corev1.PodCondition) bool { return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue }
		said := 0
		for _, pod := range w.podsOn(name) {
			if slices.ContainsFunc(pod.Status.Conditions, ready) {
				w.setPodReady(&pod, corev1.ConditionFalse)
				said++
			}
		}
		if said > 0 {
			return fmt.Errorf("%d of its pods are said to be ready", said)
		}
		for _, taint := range w.getNode(name).Spec.Taints {
			if taint.Key == corev1.TaintNodeUnreachable && taint.Effect == corev1.TaintEffectNoExecute {
				return nil
			}
		}
		return errors.New("it has no such taint")
	})
}

// Return brings a lost node back: its pods go on, and those that were deleted meanwhile stop.
func (w *World) Return(name string) {
	w.t.Helper()
	lease := w.lease(name)
	patch := fmt.Appendf(nil, `{"spec":{"holderIdentity":%q,"leaseDurationSeconds":40,"renewTime":%q}}`,
		lease.Annotations["takt-test/holder"], time.Now().UTC().Format(metav1.RFC3339Micro))
	w.must(w.Client.Patch(w.t.Context(), lease, client.RawPatch(mergePatch, patch)))
	// KWOK looks at a node or pod again when it changes, and it may hear of that before it hears of
	// the lease. So it is told until it acts. Once it has, the controller of nodes takes the taints off, if it finds the
	// node ready whenever it looks, which is every five seconds.
	tries := 0
	w.Eventually("node "+name+" takes pods again", Soon, func() error {
		err := w.takesPods(name)
		if readiness(w.getNode(name)) != corev1.ConditionTrue {
			tries++
			w.setReady(name, corev1.ConditionFalse, fmt.Sprintf("Returning%d", tries))
		}
		return err
	})
	w.leaveAlone(name, "null")
	for _, pod := range w.podsOn(name) {
		switch pod.Status.Phase {
		case corev1.PodRunning:
			w.setPodReady(&pod, corev1.ConditionTrue)
		case corev1.PodPending: // so that KWOK looks at it
			w.setPodReady(&pod, corev1.ConditionFalse)
		default: // it has ended
		}
	}
}

// Remove takes a node away for good, as when a spot instance is reclaimed. Its pods go with it, at
// once; in a real cluster the garbage collector of pods does that within two minutes.
func (w *World) Remove(name string) {
	w.t.Helper()
	w.must(w.Client.Delete(w.t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}))
	for _, pod := range w.podsOn(name) {
		patch := []byte(`{"status":{"phase":"Failed"}}`)
		w.must(client.IgnoreNotFound(w.Client.Status().Patch(w.t.Context(), pod.DeepCopy(),
			client.RawPatch(mergePatch, patch))))
		w.must(client.IgnoreNotFound(w.Client.Delete(w.t.Context(), &pod, client.GracePeriodSeconds(0))))
	}
	w.History.hasNode(name, 0)
}

// leaveAlone says on the pods of a node whether KWOK has its hands off them. It hears of the lease of a lost node
// some time later, and until then would end those that are deleted there, as no kubelet does that is gone.
func (w *World) leaveAlone(node, how string) {
	w.t.Helper()
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"kwok.x-k8s.io/status":%s}}}`, how)
	for _, pod := range w.podsOn(node) {
		w.must(client.IgnoreNotFound(w.Client.Patch(w.t.Context(), &pod, client.RawPatch(mergePatch, patch))))
	}
}

func (w *World) lease(node string) *coordinationv1.Lease {
	w.t.Helper()
	lease := &coordinationv1.Lease{}
	w.must(w.Client.Get(w.t.Context(), client.ObjectKey{Namespace: corev1.NamespaceNodeLease, Name: node}, lease))
	return lease
}

func (w *World) podsOn(node string) []corev1.Pod {
	w.t.Helper()
	var pods corev1.PodList
	w.must(w.Client.List(w.t.Context(), &pods, client.InNamespace(w.Namespace)))
	var on []corev1.Pod
	for _, pod := range pods.Items {
		if pod.Spec.NodeName == node {
			on = append(on, pod)
		}
	}
	return on
}

func (w *World) setReady(node string, to corev1.ConditionStatus, reason string) {
	w.t.Helper()
	now := time.Now().UTC().Format(time.RFC3339)
	patch := fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":%q,"reason":%q,"message":"the test says so","lastTransitionTime":%q}]}}`, to, reason, now)
	object := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}}
	w.must(w.Client.Status().Patch(w.t.Context(), object, client.RawPatch(strategicPatch, patch)))
}

func (w *World) setPodReady(pod *corev1.Pod, to corev1.ConditionStatus) {
	w.t.Helper()
	now := time.Now().UTC().Format(time.RFC3339)
	patch := fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":%q,"lastTransitionTime":%q}]}}`, to, now)
	w.must(client.IgnoreNotFound(w.Client.Status().Patch(w.t.Context(), pod.DeepCopy(),
		client.RawPatch(strategicPatch, patch))))
}
