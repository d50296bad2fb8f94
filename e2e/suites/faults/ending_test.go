package faults

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// ending is what a run has come to, as far as it is the same whatever happened on the way.
type ending struct {
	Jobs        map[string]jobEnding
	ElasticJobs map[string]elasticJobEnding
	Pods        map[string]corev1.PodPhase // of those that stay
}

type jobEnding struct {
	Kind              string
	Size              int64 // 0 if it is suspended
	Succeeded, Failed bool
}

type elasticJobEnding struct {
	Running, Desired, Min, Max             int32
	Verdict                                v1alpha1.Verdict
	Admitted, Resizing, Suspended, OnTrack string // their status and reason
	// UnderWay counts the Resizes that have not ended.
	UnderWay int
}

// endingOf reads what a run has come to.
func endingOf(w *world.World, t *testing.T) ending {
	e := ending{
		Jobs: map[string]jobEnding{}, ElasticJobs: map[string]elasticJobEnding{}, Pods: map[string]corev1.PodPhase{},
	}
	read := func(list client.ObjectList) {
		if err := w.Client.List(t.Context(), list, client.InNamespace(w.Namespace)); err != nil {
			t.Fatal(err)
		}
	}
	there := map[types.UID]bool{}
	for _, kind := range kindsOfJobs {
		jobs := &unstructured.UnstructuredList{}
		jobs.SetAPIVersion(w.TrainingJob(kind, "any").GetAPIVersion())
		jobs.SetKind(kind + "List")
		read(jobs)
		for i := range jobs.Items {
			job := &jobs.Items[i]
			there[job.GetUID()] = true
			e.Jobs[job.GetName()] = jobEnding{
				Kind: kind, Size: world.DeclaredSize(job),
				Succeeded: world.Ended(job, "Succeeded") == nil, Failed: world.Ended(job, "Failed") == nil,
			}
		}
	}
	var ejs v1alpha1.ElasticJobList
	read(&ejs)
	for i := range ejs.Items {
		ej := &ejs.Items[i]
		if slices.ContainsFunc(ej.OwnerReferences, func(job metav1.OwnerReference) bool { return !there[job.UID] }) {
			continue // the garbage collector of Kubernetes takes it, sooner or later
		}
		is := func(kind string) string {
			c := meta.FindStatusCondition(ej.Status.Conditions, kind)
			if c == nil {
				return ""
			}
			return fmt.Sprintf("%s %s", c.Status, c.Reason)
		}
		s := ej.Status.Workers
		end := elasticJobEnding{
			Running: s.Running, Desired: s.Desired, Min: s.Min, Max: s.Max, Verdict: ej.Status.Verdict,
			Admitted: is(v1alpha1.ConditionAdmitted), Resizing: is(v1alpha1.ConditionResizing),
			Suspended: is(v1alpha1.ConditionSuspended), OnTrack: is(v1alpha1.ConditionOnTrack),
		}
		if e.Jobs[ej.Spec.JobRef.Name].Succeeded {
			end.Admitted = "" // it is promised something once it was measured, if it is not done before
		}
		for _, r := range w.Resizes(ej.Name) {
			switch world.Phase(r) {
			case v1alpha1.ConditionSucceeded, v1alpha1.ConditionRolledBack, v1alpha1.ConditionFailed:
			default:
				end.UnderWay++
			}
		}
		e.ElasticJobs[ej.Name] = end
	}
	var pods corev1.PodList
	read(&pods)
	for _, pod := range pods.Items {
		if pod.DeletionTimestamp == nil {
			e.Pods[nameOf(&pod)] = pod.Status.Phase
		}
	}
	return e
}

// kindsOfJobs are those of the scenarios.
var kindsOfJobs = []string{"PyTorchJob", "Job"}

// nameOf is the name of a pod without what is drawn anew for each pod of an Indexed Job.
func nameOf(pod *corev1.Pod) string {
	if _, indexed := pod.Labels[batchv1.JobCompletionIndexAnnotation]; indexed {
		return strings.TrimSuffix(pod.GenerateName, "-")
	}
	return pod.Name
}

// same is an error unless a run has come to what another has.
func same(w *world.World, t *testing.T, want ending) error {
	if diff := cmp.Diff(want, endingOf(w, t)); diff != "" {
		return fmt.Errorf("it has come to something else (-without faults +here):\n%s", diff)
	}
	return nil
}

// sentAway counts by name how often a worker was told to go that ran and that is there at the end, and
// by job how often it was made smaller. A worker that leaves with a shrink is not counted by itself:
// training-operator may make it once more from what it has cached, and send it away again.
func sentAway(w *world.World, end ending) map[string]int {
	going, count := map[string]bool{}, map[string]int{}
	for _, r := range w.History.Since(0) {
		pod, ok := r.Object.(*corev1.Pod)
		if !ok || going[string(pod.UID)] {
			continue
		}
		if _, stays := end.Pods[nameOf(pod)]; !stays {
			continue
		}
		if pod.Status.Phase == corev1.PodRunning && (pod.DeletionTimestamp != nil || r.Event == world.Gone) {
			going[string(pod.UID)] = true
			count[nameOf(pod)]++
		}
	}
	for name := range end.Jobs {
		for _, kind := range kindsOfJobs {
			sizes := w.History.Sizes(kind, name)
			for i := 1; i < len(sizes); i++ {
				if sizes[i] < sizes[i-1] {
					count["shrinks of "+name]++
				}
			}
		}
	}
	return count
}

// promisesLost names the jobs that had a promise and were told later that they have none. A job that was
// deleted has lost nothing.
func promisesLost(w *world.World) []string {
	promised, lost := map[string]bool{}, []string(nil)
	for _, r := range w.History.Since(0) {
		ej, ok := r.Object.(*v1alpha1.ElasticJob)
		if !ok || r.Event == world.Gone {
			continue
		}
		c := meta.FindStatusCondition(ej.Status.Conditions, v1alpha1.ConditionAdmitted)
		switch {
		case c != nil && c.Reason == "Promised":
			promised[ej.Name] = true
		case c != nil && slices.Contains([]string{"JobNotFound", "JobDeleted"}, c.Reason):
			promised[ej.Name] = false
		case promised[ej.Name]:
			lost = append(lost, fmt.Sprintf("%s at %s: now it is %v", ej.Name, r.At.Format("15:04:05.000"), c))
			promised[ej.Name] = false
		}
	}
	return lost
}
