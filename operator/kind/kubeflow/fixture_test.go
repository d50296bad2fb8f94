package kubeflow

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

var (
	created = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	ended   = created.Add(3 * time.Hour)
	asked   = created.Add(time.Hour + 123456789)
)

// pytorch is an elastic job of two workers that runs, with something in every place that a patch
// could harm.
func pytorch(change ...func(*kubeflow.PyTorchJob)) *kubeflow.PyTorchJob {
	p := &kubeflow.PyTorchJob{
		TypeMeta:   metav1.TypeMeta{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob"},
		ObjectMeta: meta("resnet"),
		Spec: kubeflow.PyTorchJobSpec{
			RunPolicy:    kubeflow.RunPolicy{BackoffLimit: new(int32(3)), Suspend: new(false)},
			NprocPerNode: new("2"),
			ElasticPolicy: &kubeflow.ElasticPolicy{
				MinReplicas: new(int32(1)), MaxReplicas: new(int32(4)), MaxRestarts: new(int32(20)), RDZVPort: new(int32(29500)),
			},
			PyTorchReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{"Worker": replicaSpec(2, "pytorch")},
		},
	}
	for _, f := range change {
		f(p)
	}
	return p
}

// tensorflow is a job with two parameter servers and three dynamic workers that runs.
func tensorflow(change ...func(*kubeflow.TFJob)) *kubeflow.TFJob {
	t := &kubeflow.TFJob{
		TypeMeta:   metav1.TypeMeta{APIVersion: "kubeflow.org/v1", Kind: "TFJob"},
		ObjectMeta: meta("wide"),
		Spec: kubeflow.TFJobSpec{
			EnableDynamicWorker: true,
			TFReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{
				"PS": replicaSpec(2, "tensorflow"), "Worker": replicaSpec(3, "tensorflow"),
			},
		},
	}
	for _, f := range change {
		f(t)
	}
	return t
}

func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: "team", Name: name, UID: "u-1", ResourceVersion: "41", CreationTimestamp: metav1.NewTime(created),
		Labels:      map[string]string{"takt.dev/queue": "research"},
		Annotations: map[string]string{"takt.dev/deadline": "6h"},
	}
}

func replicaSpec(n int32, container string) *kubeflow.ReplicaSpec {
	return &kubeflow.ReplicaSpec{
		Replicas:      new(n),
		RestartPolicy: kubeflow.RestartPolicyOnFailure,
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{
				Labels: map[string]string{"app": "training"}, Annotations: map[string]string{"a": "b"},
			},
			Spec: corev1.PodSpec{
				NodeSelector: map[string]string{"disk": "fast"},
				Volumes:      []corev1.Volume{{Name: "data"}},
				Containers: []corev1.Container{
					{Name: "sidecar", Image: "logs"},
					{
						Name: container, Image: "train", Command: []string{"python", "train.py"},
						Env:       []corev1.EnvVar{{Name: "SEED", Value: "1"}},
						Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}},
					},
				},
			},
		},
	}
}

func ending(t kubeflow.JobConditionType, s corev1.ConditionStatus, message string) kubeflow.JobCondition {
	return kubeflow.JobCondition{
		Type: t, Status: s, Reason: "Because", Message: message, LastTransitionTime: metav1.NewTime(ended),
	}
}

// patched is the object after a patch, as the API server applies it.
func patched[T client.Object](t *testing.T, job T, patch []byte, into T) T {
	t.Helper()
	before, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	after, err := jsonpatch.MergePatch(before, patch)
	if err != nil {
		t.Fatalf("%v, in %s", err, patch)
	}
	if err := json.Unmarshal(after, into); err != nil {
		t.Fatalf("%v, in %s", err, after)
	}
	return into
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func reasons(found []kind.Objection) (all []string) {
	for _, o := range found {
		all = append(all, o.Reason)
	}
	return all
}

func forward(workers resize.Workers) resize.Ask {
	return resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: workers, At: asked}
}
