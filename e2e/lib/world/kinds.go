package world

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// joinable are the kinds of jobs whose workers may join and leave, for scenarios that are the same for all of them.
var joinable = []string{"PyTorchJob", "Job"}

// EachKind plays a scenario with a PyTorchJob and with an Indexed Job, side by side.
func EachKind(t *testing.T, play func(t *testing.T, kind string)) {
	t.Helper()
	for _, kind := range joinable {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			play(t, kind)
		})
	}
}

// Train makes a job of a kind.
func (w *World) Train(kind, name string, j Job) *unstructured.Unstructured {
	w.t.Helper()
	switch kind {
	case "PyTorchJob":
		return w.PyTorchJob(name, j)
	case "TFJob":
		return w.TFJob(name, j)
	case "Job":
		return w.IndexedJob(name, j)
	default:
		w.t.Fatalf("nobody knows how to make a %s", kind)
		return nil
	}
}

// InPods sets a field in the specs of all pods that a job of any kind makes.
func InPods(job *unstructured.Unstructured, value any, field ...string) {
	for _, template := range templates(job) {
		path := append(append(template, "spec"), field...)
		if err := unstructured.SetNestedField(job.Object, value, path...); err != nil {
			panic(err)
		}
	}
}

// templates are where a job has the templates of its pods.
func templates(job *unstructured.Unstructured) (paths [][]string) {
	if job.GetKind() == "Job" {
		return [][]string{{"spec", "template"}}
	}
	for _, specs := range []string{"pytorchReplicaSpecs", "tfReplicaSpecs"} {
		roles, _, _ := unstructured.NestedMap(job.Object, "spec", specs)
		for role := range roles {
			paths = append(paths, []string{"spec", specs, role, "template"})
		}
	}
	return paths
}

// NameLabel is the label by which the pods of a kind of job tell its name.
func NameLabel(kind string) string {
	if kind == "Job" {
		return "batch.kubernetes.io/job-name"
	}
	return "training.kubeflow.org/job-name"
}

// Suspend suspends a job of a kind as a person would, or has it go on.
func (w *World) Suspend(kind, name string, suspended bool) {
	w.t.Helper()
	patch := fmt.Sprintf(`{"spec":{"runPolicy":{"suspend":%t}}}`, suspended)
	if kind == "Job" {
		patch = fmt.Sprintf(`{"spec":{"suspend":%t}}`, suspended)
	}
	w.Patch(w.TrainingJob(kind, name), patch)
}

// Scale gives a job of a kind another size as a person would.
func (w *World) Scale(kind, name string, workers int) {
	w.t.Helper()
	patch := fmt.Sprintf(`{"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":%d}}}}`, workers)
	if kind == "Job" {
		patch = fmt.Sprintf(`{"spec":{"parallelism":%d,"completions":%d}}`, workers, workers)
	}
	w.Patch(w.TrainingJob(kind, name), patch)
}

// Begin has the pods of a job run at once that were to take longer to start.
func (w *World) Begin(job string) {
	w.t.Helper()
	for _, pod := range w.Workers(job) {
		if _, takesLonger := pod.Annotations[pendingFor]; takesLonger {
			patch := client.RawPatch(mergePatch, fmt.Appendf(nil, `{"metadata":{"annotations":{%q:null}}}`, pendingFor))
			w.must(client.IgnoreNotFound(w.Client.Patch(w.t.Context(), &pod, patch)))
		}
	}
}

// Stop has the pods of a job stop at once that were told to go and take longer.
func (w *World) Stop(job string) {
	w.t.Helper()
	for _, pod := range w.Workers(job) {
		if pod.DeletionTimestamp != nil && pod.Annotations[stopAfter] != "0s" {
			patch := client.RawPatch(mergePatch, fmt.Appendf(nil, `{"metadata":{"annotations":{%q:"0s"}}}`, stopAfter))
			w.must(client.IgnoreNotFound(w.Client.Patch(w.t.Context(), &pod, patch)))
		}
	}
}
