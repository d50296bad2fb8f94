package known

import (
	"slices"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/takt-dev/takt/operator/kind/written"
)

// The commands know kinds as people write them, without the types of the operator.
func TestPeopleCanWriteEveryKind(t *testing.T) {
	var kinds, people []string
	for _, k := range Kinds() {
		kinds = append(kinds, k.GroupVersionKind().String())
	}
	for _, k := range written.Kinds {
		people = append(people, k.String())
	}
	slices.Sort(kinds)
	slices.Sort(people)
	if !slices.Equal(kinds, people) {
		t.Errorf("takt knows %v, and the operator %v", people, kinds)
	}
}

// What a job reads as the template of its workers is among its templates, so that jobs that are alike share it.
func TestTheTemplatesOfEveryKindAreKnown(t *testing.T) {
	worker := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "trainer"}}}}
	for _, job := range []any{
		&kubeflow.PyTorchJob{Spec: kubeflow.PyTorchJobSpec{
			PyTorchReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{"Worker": {Template: worker}, "Master": nil},
		}},
		&kubeflow.TFJob{Spec: kubeflow.TFJobSpec{
			TFReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{"Worker": {Template: worker}},
		}},
		&batchv1.Job{Spec: batchv1.JobSpec{Template: worker}},
	} {
		if got := Templates(job); len(got) != 1 || !equality.Semantic.DeepEqual(*got[0], worker) {
			t.Errorf("of a %T these are known: %v", job, got)
		}
	}
	if got := Templates(&corev1.Pod{}); got != nil {
		t.Errorf("of a pod these are known: %v", got)
	}
}

func TestEveryKindIsRegistered(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds() {
		gvk := k.GroupVersionKind()
		if got, err := apiutil.GVKForObject(k.New(), scheme); err != nil || got != gvk {
			t.Errorf("%v, %v; want %v", got, err, gvk)
		}
		list := gvk
		list.Kind += "List"
		if got, err := apiutil.GVKForObject(k.NewList(), scheme); err != nil || got != list {
			t.Errorf("%v, %v; want %v", got, err, list)
		}
		if found, ok := ByKind(gvk.Kind); !ok || found != k {
			t.Errorf("%s is not found by its name.", gvk.Kind)
		}
	}
	if _, ok := ByKind("MPIJob"); ok {
		t.Error("MPIJob is found.")
	}
	known := scheme.KnownTypes(Kinds()[0].GroupVersionKind().GroupVersion())
	var others []string
	for kind := range known {
		if slices.Contains([]string{"MPIJob", "XGBoostJob", "PaddleJob", "JAXJob"}, kind) {
			others = append(others, kind)
		}
	}
	if len(others) > 0 {
		t.Errorf("%v are registered as well", others)
	}
}
