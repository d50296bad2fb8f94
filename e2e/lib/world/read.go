package world

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// Job reads an ElasticJob. One that is not there is read as an empty one, so that it can be waited
// for.
func (w *World) Job(name string) *v1alpha1.ElasticJob {
	w.t.Helper()
	job := &v1alpha1.ElasticJob{}
	w.must(client.IgnoreNotFound(w.Client.Get(w.t.Context(), client.ObjectKey{Namespace: w.Namespace, Name: name}, job)))
	return job
}

// TrainingQueue reads a queue by the name that Queue gave; an empty one if it is not there.
func (w *World) TrainingQueue(name string) *v1alpha1.TrainingQueue {
	w.t.Helper()
	queue := &v1alpha1.TrainingQueue{}
	w.must(client.IgnoreNotFound(w.Client.Get(w.t.Context(), client.ObjectKey{Name: name}, queue)))
	return queue
}

// Pod reads a pod; an empty one if it is not there.
func (w *World) Pod(name string) *corev1.Pod {
	w.t.Helper()
	pod := &corev1.Pod{}
	w.must(client.IgnoreNotFound(w.Client.Get(w.t.Context(), client.ObjectKey{Namespace: w.Namespace, Name: name}, pod)))
	return pod
}

// Resizes reads the Resizes of an ElasticJob, oldest first.
func (w *World) Resizes(elasticJob string) []v1alpha1.Resize {
	w.t.Helper()
	var all v1alpha1.ResizeList
	w.must(w.Client.List(w.t.Context(), &all, client.InNamespace(w.Namespace)))
	of := slices.DeleteFunc(all.Items, func(r v1alpha1.Resize) bool { return r.Spec.ElasticJob != elasticJob })
	slices.SortFunc(of, func(a, b v1alpha1.Resize) int { return cmp.Compare(a.Spec.Epoch, b.Spec.Epoch) })
	return of
}

// Phase is the last condition of a Resize, as kubectl shows it.
func Phase(r v1alpha1.Resize) string {
	if n := len(r.Status.Conditions); n > 0 {
		return r.Status.Conditions[n-1].Type
	}
	return ""
}

// Unanswered says that a Resize has ended as nobody made, placed or stopped pods within its time. That tells nothing of
// Takt, which tries again.
func Unanswered(r v1alpha1.Resize) bool {
	n := len(r.Status.Conditions)
	if n == 0 || Phase(r) != v1alpha1.ConditionRolledBack && Phase(r) != v1alpha1.ConditionFailed {
		return false
	}
	reason := resize.Reason(r.Status.Conditions[n-1].Reason)
	return slices.Contains([]resize.Reason{resize.NobodyAnswered, resize.PodsMissing, resize.PodsNotGone}, reason)
}

// Answered are Resizes without those that ended Unanswered.
func Answered(resizes []v1alpha1.Resize) []v1alpha1.Resize {
	return slices.DeleteFunc(slices.Clone(resizes), Unanswered)
}

// Workers reads the pods of a job that train, those that are on their way out included, in the order
// of their index; a master comes first.
func (w *World) Workers(job string) []corev1.Pod {
	w.t.Helper()
	var pods corev1.PodList
	w.must(w.Client.List(w.t.Context(), &pods, client.InNamespace(w.Namespace)))
	pods.Items = slices.DeleteFunc(pods.Items, func(p corev1.Pod) bool {
		return cmp.Or(p.Labels["training.kubeflow.org/job-name"], p.Labels["batch.kubernetes.io/job-name"]) != job
	})
	role := func(p corev1.Pod) string { return p.Labels["training.kubeflow.org/replica-type"] }
	index := func(p corev1.Pod) int {
		i, _ := strconv.Atoi(cmp.Or(p.Labels["batch.kubernetes.io/job-completion-index"],
			p.Labels["training.kubeflow.org/replica-index"]))
		return i
	}
	workers := slices.DeleteFunc(pods.Items, func(p corev1.Pod) bool { return role(p) == "ps" || role(p) == "evaluator" })
	slices.SortFunc(workers, func(a, b corev1.Pod) int {
		return cmp.Or(cmp.Compare(role(a), role(b)), cmp.Compare(index(a), index(b)))
	})
	return workers
}

// Names are those of the workers of a job, in the same order.
func (w *World) Names(job string) (names []string) {
	w.t.Helper()
	for _, pod := range w.Workers(job) {
		names = append(names, pod.Name)
	}
	return names
}

// Running is how many workers of a job run, and were not told to go.
func (w *World) Running(job string) int {
	w.t.Helper()
	n := 0
	for _, pod := range w.Workers(job) {
		if pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
			n++
		}
	}
	return n
}

// Read reads a job of any kind.
func (w *World) Read(kind, name string) *unstructured.Unstructured {
	w.t.Helper()
	job := w.TrainingJob(kind, name)
	w.must(w.Client.Get(w.t.Context(), client.ObjectKeyFromObject(job), job))
	return job
}

// Want is an error unless a value is as wanted.
func Want[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s: %v, want %v", what, got, want)
	}
	return nil
}

// IsTrue is an error unless a condition of an ElasticJob is True.
func IsTrue(job *v1alpha1.ElasticJob, condition string) error {
	c := meta.FindStatusCondition(job.Status.Conditions, condition)
	switch {
	case c == nil:
		return fmt.Errorf("ElasticJob %s has no condition %s", job.Name, condition)
	case c.Status != "True":
		return fmt.Errorf("ElasticJob %s is not %s: %s: %s", job.Name, condition, c.Reason, c.Message)
	}
	return nil
}

// Ended is an error unless training-operator says that a job has ended so: Succeeded or Failed.
func Ended(job *unstructured.Unstructured, how string) error {
	conditions, _, _ := unstructured.NestedSlice(job.Object, "status", "conditions")
	for _, each := range conditions {
		if c, ok := each.(map[string]any); ok && c["type"] == how && c["status"] == "True" {
			return nil
		}
	}
	return fmt.Errorf("%s %s is not %s: %v", job.GetKind(), job.GetName(), how, conditions)
}
