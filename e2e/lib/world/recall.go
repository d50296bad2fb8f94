package world

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Mark is a place in the history: what comes after it is Since it.
func (h *History) Mark() int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return len(h.records)
}

// Since is what has happened after a mark.
func (h *History) Since(mark int) []Record {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return slices.Clone(h.records[mark:])
}

// Of is what has happened to the objects of a kind and name.
func (h *History) Of(kind, name string) []Record {
	return slices.DeleteFunc(h.Since(0), func(r Record) bool { return r.Kind != kind || r.Object.GetName() != name })
}

// Present is how many objects of a kind there are, as far as it knows.
func (h *History) Present(kind string) int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return len(h.now[kind])
}

// CatchUp waits until the history has come to an object as it was read: it is a moment behind.
func (w *World) CatchUp(object client.Object) {
	w.t.Helper()
	w.Eventually("the history has come to what was read of "+object.GetName(), Soon, func() error {
		for _, r := range slices.Backward(w.History.Since(0)) {
			if r.Object.GetUID() != object.GetUID() {
				continue
			}
			order, err := resourceversion.CompareResourceVersion(r.Object.GetResourceVersion(), object.GetResourceVersion())
			if err == nil && order < 0 {
				err = errors.New("it is behind")
			}
			return err
		}
		return errors.New("it has not seen it")
	})
}

// Undisturbed is an error if any of the named pods was ever told to go, has ended, or was made twice.
func (h *History) Undisturbed(pods ...string) error { return h.UndisturbedSince(0, pods...) }

// UndisturbedSince is an error if any of the named pods was told to go, has ended, or was made anew after a mark.
func (h *History) UndisturbedSince(mark int, pods ...string) error {
	records := h.Since(0)
	for _, name := range pods {
		var before *corev1.Pod
		for i, r := range records {
			pod, is := r.Object.(*corev1.Pod)
			if !is || pod.Name != name {
				continue
			}
			switch {
			case i < mark:
			case pod.DeletionTimestamp != nil || r.Event == Gone:
				return fmt.Errorf("pod %s was told to go at %s", name, r.At.Format("15:04:05.000"))
			case pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded:
				return fmt.Errorf("pod %s has ended at %s", name, r.At.Format("15:04:05.000"))
			case before != nil && pod.UID != before.UID:
				return fmt.Errorf("pod %s was made anew at %s", name, r.At.Format("15:04:05.000"))
			}
			before = pod
		}
		if before == nil {
			return fmt.Errorf("pod %s was never seen", name)
		}
	}
	return nil
}

// Sizes are the numbers of workers that a job of any kind was asked for, one after the other; 0
// while it was suspended.
func (h *History) Sizes(kind, job string) []int64 {
	var sizes []int64
	for _, r := range h.Of(kind, job) {
		if object, ok := r.Object.(*unstructured.Unstructured); ok && r.Event != Gone {
			sizes = append(sizes, DeclaredSize(object))
		}
	}
	return slices.Compact(sizes)
}

// DeclaredSize counts workers, with a master or chief among them; none if the job is suspended.
func DeclaredSize(job *unstructured.Unstructured) int64 {
	for _, path := range [][]string{{"spec", "runPolicy", "suspend"}, {"spec", "suspend"}} {
		if suspended, _, _ := unstructured.NestedBool(job.Object, path...); suspended {
			return 0
		}
	}
	sum, _, _ := unstructured.NestedInt64(job.Object, "spec", "parallelism")
	for _, specs := range []string{"pytorchReplicaSpecs", "tfReplicaSpecs"} {
		for _, role := range []string{"Worker", "Master", "Chief"} {
			replicas, _, _ := unstructured.NestedInt64(job.Object, "spec", specs, role, "replicas")
			sum += replicas
		}
	}
	return sum
}

// Writes is what has been written after a mark that is not a report of progress or a status of
// training-operator: nothing, if Takt has nothing to do.
func (h *History) Writes(since int) []Record {
	generations := map[string]int64{}
	var writes []Record
	for i, r := range h.Since(0) {
		uid, generation := string(r.Object.GetUID()), r.Object.GetGeneration()
		_, job := r.Object.(*unstructured.Unstructured)
		idle := job && r.Event == Changed && generations[uid] == generation
		generations[uid] = generation
		if i >= since && !idle {
			writes = append(writes, r)
		}
	}
	return writes
}

// described is what matters of an object, in a few words.
func described(object client.Object) string {
	switch o := object.(type) {
	case *corev1.Pod:
		going := ""
		if o.DeletionTimestamp != nil {
			going = ", told to go"
		}
		return fmt.Sprintf(": %s on %q%s", o.Status.Phase, o.Spec.NodeName, going)
	case *v1alpha1.ElasticJob:
		return fmt.Sprintf(": %d workers of %d desired, %d ppm, %s: %s",
			o.Status.Workers.Running, o.Status.Workers.Desired, o.Status.Progress.PartsPerMillion, o.Status.Verdict,
			o.Status.Message)
	case *v1alpha1.Resize:
		var conditions []string
		for _, c := range o.Status.Conditions {
			conditions = append(conditions, c.Type)
		}
		return fmt.Sprintf(": %d to %d, %s: %s", o.Spec.From, o.Spec.To, o.Spec.Reason, strings.Join(conditions, " "))
	case *unstructured.Unstructured:
		return fmt.Sprintf(": size %d", DeclaredSize(o))
	}
	return ""
}

// Ends are how long after they were made the jobs of a kind have succeeded, by name. It counts in
// seconds, as the API does.
func (w *World) Ends(kind string) map[string]time.Duration {
	ends := map[string]time.Duration{}
	w.History.mutex.Lock()
	defer w.History.mutex.Unlock()
	for _, object := range w.History.now[kind] {
		job, ok := object.(*unstructured.Unstructured)
		if !ok || Ended(job, "Succeeded") != nil {
			continue
		}
		text, _, _ := unstructured.NestedString(job.Object, "status", "completionTime")
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			ends[job.GetName()] = at.Sub(job.GetCreationTimestamp().Time)
		}
	}
	return ends
}
