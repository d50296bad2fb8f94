package world

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/invariant"
	"github.com/takt-dev/takt/e2e/lib/training"
)

// ElasticJob makes one, for the PyTorchJob of its name if its spec names no other.
func (w *World) ElasticJob(name string, spec v1alpha1.ElasticJobSpec) *v1alpha1.ElasticJob {
	w.t.Helper()
	spec.JobRef.Kind = orElse(spec.JobRef.Kind, "PyTorchJob")
	spec.JobRef.APIVersion = orElse(spec.JobRef.APIVersion, groupOf(spec.JobRef.Kind)+"/v1")
	spec.JobRef.Name = orElse(spec.JobRef.Name, name)
	job := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: name}, Spec: spec}
	w.must(w.Client.Create(w.t.Context(), job))
	return job
}

// Queue makes a TrainingQueue that is open to this world alone, if its spec says nothing else, and
// returns its name, which begins with that of the world: TrainingQueues have no namespace.
func (w *World) Queue(name string, spec v1alpha1.TrainingQueueSpec) string {
	w.t.Helper()
	if spec.NamespaceSelector == nil {
		spec.NamespaceSelector = &v1alpha1.NamespaceSelector{MatchLabels: map[string]v1alpha1.LabelValue{
			corev1.LabelMetadataName: v1alpha1.LabelValue(w.Namespace),
		}}
	}
	queue := &v1alpha1.TrainingQueue{
		ObjectMeta: metav1.ObjectMeta{Name: w.Namespace + "-" + name, Labels: map[string]string{mine: w.Namespace}},
		Spec:       spec,
	}
	w.must(w.Client.Create(w.t.Context(), queue))
	return queue.Name
}

// PlainPod makes a pod outside of Takt's care, with so many GPUs on one of the world's nodes.
func (w *World) PlainPod(name string, gpus int, change ...func(*corev1.Pod)) *corev1.Pod {
	w.t.Helper()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.Namespace, Name: name, Annotations: map[string]string{stopAfter: "1s"},
		},
		Spec: corev1.PodSpec{
			NodeSelector: map[string]string{mine: w.Namespace},
			Tolerations:  w.tolerations(),
			Containers: []corev1.Container{{
				Name: "main", Image: "example.com/main:1",
				Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{
					invariant.GPU: *resource.NewQuantity(int64(gpus), resource.DecimalSI),
				}},
			}},
		},
	}
	for _, c := range change {
		c(pod)
	}
	w.must(w.Client.Create(w.t.Context(), pod))
	return pod
}

// Quota limits the GPUs that pods of the world may ask for together.
func (w *World) Quota(gpus int) {
	w.t.Helper()
	w.must(w.Client.Create(w.t.Context(), &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: "gpus"},
		Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{
			"requests." + invariant.GPU: *resource.NewQuantity(int64(gpus), resource.DecimalSI),
		}},
	}))
}

// Make makes an object of the world as it is given.
func (w *World) Make(object client.Object) {
	w.t.Helper()
	w.must(w.Client.Create(w.t.Context(), object))
}

// MakeStatus writes the status of an object that was just made.
func (w *World) MakeStatus(object client.Object) {
	w.t.Helper()
	w.must(w.Client.Status().Update(w.t.Context(), object))
}

// Patch changes an object of the world as a person would, with a JSON merge patch.
func (w *World) Patch(object client.Object, patch string) {
	w.t.Helper()
	w.must(w.Client.Patch(w.t.Context(), object, client.RawPatch(mergePatch, []byte(patch))))
}

// Hurry has a training do what is left of it in a second or two, whatever its size: nothing more is to be
// seen of it but its end.
func (w *World) Hurry(kind, name string, how training.Spec) {
	w.t.Helper()
	how.StepsPerSecond = training.Speed{Base: how.Total}
	w.Trains(kind, name, how)
}

// Trains has a training go on in another way.
func (w *World) Trains(kind, name string, how training.Spec) {
	w.t.Helper()
	w.Patch(w.TrainingJob(kind, name),
		fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, training.SimulateAnnotation, how.String()))
}

// groupOf is the API group of a kind of job.
func groupOf(kind string) string {
	if kind == "Job" {
		return "batch"
	}
	return "kubeflow.org"
}

// TrainingJob is a job of the world of any kind by its name, to be patched or deleted.
func (w *World) TrainingJob(kind, name string) *unstructured.Unstructured {
	job := &unstructured.Unstructured{}
	job.SetGroupVersionKind(schema.GroupVersionKind{Group: groupOf(kind), Version: "v1", Kind: kind})
	job.SetNamespace(w.Namespace)
	job.SetName(name)
	return job
}

// OnePerNode has a node room for one worker of a job, whatever GPUs are free there. The term chooses namespaces by
// their labels, which only schedulers understand: Takt finds out when it tries.
func OnePerNode(job *unstructured.Unstructured) {
	InPods(job, map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": []any{map[string]any{
		"topologyKey": corev1.LabelHostname,
		"labelSelector": map[string]any{"matchExpressions": []any{
			map[string]any{"key": NameLabel(job.GetKind()), "operator": "Exists"},
		}},
		"namespaceSelector": map[string]any{"matchExpressions": []any{
			map[string]any{"key": corev1.LabelMetadataName, "operator": "Exists"},
		}},
	}}}, "affinity", "podAntiAffinity")
}

// Delete deletes an object of the world, as kubectl does: what belongs to it goes with it, of a Job of Kubernetes too.
func (w *World) Delete(object client.Object) {
	w.t.Helper()
	w.must(w.Client.Delete(w.t.Context(), object, client.PropagationPolicy(metav1.DeletePropagationBackground)))
}

// Foreign makes an object of a kind that belongs to others. Those that have no namespace go with their cluster.
func (w *World) Foreign(apiVersion, kind, name string, spec map[string]any) {
	w.t.Helper()
	object := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetName(name)
	namespaced, err := w.Client.IsObjectNamespaced(object)
	w.must(err)
	if namespaced {
		object.SetNamespace(w.Namespace)
	}
	w.must(w.Client.Create(w.t.Context(), object))
}
