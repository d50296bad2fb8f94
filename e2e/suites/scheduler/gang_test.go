package scheduler

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/invariant"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// scheduled starts the scheduler of a world.
func scheduled(t *testing.T, w *world.World, change ...func(config, args object)) *schedulerprocess.Process {
	t.Helper()
	patient := func(_, args object) { args["gangs"].(object)["orphan"] = "1h" } // nobody is placed for want of a Resize
	return schedulerprocess.Start(t, schedulerprocess.Options{
		Cluster: cluster.Shared(), Name: w.Namespace, Change: append([]func(config, args object){patient}, change...),
		Loud: true,
	})
}

type object = schedulerprocess.Object

// change is a resize of a job from one size to another, as far as the scheduler is concerned.
type change struct {
	t              *testing.T
	job            string
	epoch          int64
	from, to, gpus int
	pod            []func(*corev1.Pod)
	resize         []func(*v1alpha1.Resize)
}

func (c change) name() string { return fmt.Sprintf("%s-%d", c.job, c.epoch) }

func (c change) pods() (names []string) {
	for i := c.from; i < c.to; i++ {
		names = append(names, fmt.Sprintf("%s-worker-%d", c.job, i))
	}
	return names
}

// gang makes the Resize of a job and its new pods. Those that wait say so, and nothing else.
func gang(t *testing.T, w *world.World, c change) change {
	t.Helper()
	propose(t, w, &c)
	for i := range c.to - c.from {
		c.makePod(w, i)
	}
	return c
}

// propose makes the Resize alone.
func propose(t *testing.T, w *world.World, c *change) {
	t.Helper()
	c.t, c.epoch, c.gpus = t, max(c.epoch, 1), max(c.gpus, 1)
	resize := &v1alpha1.Resize{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: c.name()},
		Spec: v1alpha1.ResizeSpec{
			ElasticJob: c.job, Epoch: c.epoch, From: int32(c.from), To: int32(c.to),
			Mode: v1alpha1.ResizeLive, Reason: v1alpha1.ReasonSpareCapacity,
		},
	}
	for _, f := range c.resize {
		f(resize)
	}
	if err := w.Client.Create(t.Context(), resize); err != nil {
		t.Fatal(err)
	}
}

// makePod makes the i-th new pod.
func (c change) makePod(w *world.World, i int) {
	index := c.from + i
	label := func(pod *corev1.Pod) {
		pod.Spec.SchedulerName = w.Namespace
		schedulerprocess.Member(c.t, pod, c.job, index, v1alpha1.Gang{
			Epoch: c.epoch, First: int32(c.from), Pods: int32(c.to - c.from),
		})
	}
	w.PlainPod(fmt.Sprintf("%s-worker-%d", c.job, index), c.gpus, append([]func(*corev1.Pod){label}, c.pod...)...)
}

// plain makes a pod of no gang for the scheduler under test.
func plain(w *world.World, name string, gpus int, change ...func(*corev1.Pod)) {
	mine := func(pod *corev1.Pod) { pod.Spec.SchedulerName = w.Namespace }
	w.PlainPod(name, gpus, append([]func(*corev1.Pod){mine}, change...)...)
}

// bound counts the pods of a change that have a node.
func bound(w *world.World, c change) int {
	n := 0
	for _, name := range c.pods() {
		if w.Pod(name).Spec.NodeName != "" {
			n++
		}
	}
	return n
}

func placed(w *world.World, c change) {
	w.Eventually(c.name()+" is placed", world.Soon, func() error {
		return world.Want("pods with a node", bound(w, c), c.to-c.from)
	})
}

// told waits until the Resize of a change says how many fit, and gives what it says.
func told(w *world.World, c change, fits int32) v1alpha1.PlacementStatus {
	var said v1alpha1.PlacementStatus
	w.Eventually(fmt.Sprintf("%s is told that %d fit", c.name(), fits), world.Soon, func() error {
		said = resizeOf(w, c).Status.Placement
		if said.ObservedAt == "" {
			return fmt.Errorf("it is told nothing")
		}
		return world.Want("fits", said.Fits, fits)
	})
	return said
}

func resizeOf(w *world.World, c change) *v1alpha1.Resize {
	for _, r := range w.Resizes(c.job) {
		if r.Spec.Epoch == c.epoch {
			return &r
		}
	}
	return &v1alpha1.Resize{}
}

// succeed is what the operator does once a resize is over.
func succeed(t *testing.T, w *world.World, c change) {
	t.Helper()
	r := resizeOf(w, c)
	before := r.DeepCopy()
	r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue, Reason: "Advances", LastTransitionTime: metav1.Now(),
		ObservedGeneration: r.Generation,
	})
	if err := w.Client.Status().Patch(t.Context(), r, client.MergeFrom(before)); err != nil {
		t.Fatal(err)
	}
}

// end lets the pods of a change be gone.
func end(t *testing.T, w *world.World, c change) {
	t.Helper()
	for _, name := range c.pods() {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: name}}
		if err := client.IgnoreNotFound(w.Client.Delete(t.Context(), pod, client.GracePeriodSeconds(0))); err != nil {
			t.Fatal(err)
		}
	}
}

// neverInPart fails the test if a gang was ever bound in part: if somebody else was given GPUs that the rest of
// a gang needed whose first pods were bound already, if one of its pods went before the last was bound, or if
// the last never was.
func neverInPart(t *testing.T, w *world.World, all ...change) {
	t.Helper()
	w.CatchUp(w.PlainPod("the-last", 0)) // what came before is known with it
	gangOf := map[string]int{}
	for i, c := range all {
		for _, name := range c.pods() {
			gangOf[name] = i
		}
	}
	holds, got, capacity := map[string]int64{}, make([]map[string]bool, len(all)), w.Capacity()
	missing := func(i int) int { // of a gang that has begun to be bound
		if len(got[i]) == 0 {
			return 0
		}
		return len(all[i].pods()) - len(got[i])
	}
	for _, r := range w.History.Since(0) {
		pod, is := r.Object.(*corev1.Pod)
		if !is {
			continue
		}
		i, member := gangOf[pod.Name]
		if r.Event == world.Gone {
			delete(holds, pod.Name)
			if member && missing(i) > 0 {
				t.Errorf("%s went when %d pods of %s were bound, and %d were not", pod.Name, len(got[i]), all[i].name(), missing(i))
			}
			continue
		}
		if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			delete(holds, pod.Name)
			continue
		}
		if _, before := holds[pod.Name]; before || pod.Spec.NodeName == "" {
			continue
		}
		holds[pod.Name] = invariant.GPUs(pod)
		if member {
			if got[i] == nil {
				got[i] = map[string]bool{}
			}
			got[i][pod.Name] = true
		}
		needed := int64(0)
		for _, gpus := range holds {
			needed += gpus
		}
		for j, c := range all {
			needed += int64(missing(j) * c.gpus)
		}
		if needed > capacity {
			t.Errorf("when %s was bound, %d GPUs were used or needed for the rest of gangs, of %d", pod.Name, needed, capacity)
		}
	}
	for i, c := range all {
		if n := missing(i); n > 0 {
			t.Errorf("of the %d pods of %s, %d were never bound", len(c.pods()), c.name(), n)
		}
	}
}
