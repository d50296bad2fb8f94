package operator

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// quota is that of a world, to be changed.
func quota(w *world.World) *corev1.ResourceQuota {
	return &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: "gpus"}}
}

func TestAJobGrowsNoFurtherThanItsQuotaAndSaysSo(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	w.Quota(2)
	w.PyTorchJob("resnet", world.Job{Workers: 1, Max: 4, Suspended: true, Queue: "default"})
	w.Eventually("the job has what the quota allows, and names it", world.Soon, func() error {
		return errors.Join(runs(w, "resnet", 2), conditionIs(w.Job("resnet"), v1alpha1.ConditionResizing,
			metav1.ConditionFalse, "QuotaReached",
			"no more than 2 workers", "ResourceQuota gpus in namespace "+w.Namespace, "allows no more of nvidia.com/gpu"))
	})
	resizes := len(w.Resizes("resnet"))
	w.Steadily("it keeps running, and nothing is tried in vain", 4*time.Second, func() error {
		return errors.Join(runs(w, "resnet", 2), world.Want("resizes", len(w.Resizes("resnet")), resizes))
	})
	w.Patch(quota(w), `{"spec":{"hard":{"requests.nvidia.com/gpu":"4"}}}`)
	w.Eventually("it grows once the quota is raised", world.Soon, func() error {
		return errors.Join(runs(w, "resnet", 4), conditionIs(w.Job("resnet"), v1alpha1.ConditionResizing,
			metav1.ConditionFalse, "SizeKept"))
	})
	if err := w.History.Undisturbed("resnet-worker-0", "resnet-worker-1"); err != nil {
		t.Error(err)
	}
}

func TestAJobThatItsQuotaDoesNotLetStartSaysSo(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	w.StopOperator() // so that it hears of the quota no later than of the job
	w.Quota(1)
	w.PyTorchJob("resnet", world.Job{Workers: 2, Min: 2, Suspended: true, Queue: "default"})
	w.StartOperator()
	w.Eventually("the job says why it waits", world.Soon, func() error {
		return refused(w.Job("resnet"), "QuotaReached", "It cannot start", "ResourceQuota gpus", "a worker takes 1")
	})
	leftAlone(t, w)
	w.Patch(quota(w), `{"spec":{"hard":{"requests.nvidia.com/gpu":"2"}}}`)
	w.Eventually("it starts once the quota is raised", world.Soon, func() error {
		return errors.Join(runs(w, "resnet", 2), world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted))
	})
}

// cores has the workers of a job ask for CPUs as well.
func cores(n string) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		containers, _, _ := unstructured.NestedSlice(job.Object, "spec", "pytorchReplicaSpecs", "Worker", "template", "spec",
			"containers")
		first := containers[0].(map[string]any)
		first["resources"].(map[string]any)["requests"] = map[string]any{"cpu": n}
		_ = unstructured.SetNestedSlice(job.Object, containers, "spec", "pytorchReplicaSpecs", "Worker", "template", "spec",
			"containers")
	}
}

func TestGPUsThatAQuotaKeepsFromOneJobAreUsedByAnother(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	hard := quota(w)
	hard.Spec.Hard = corev1.ResourceList{"requests.cpu": resource.MustParse("9")}
	if err := w.Client.Create(t.Context(), hard); err != nil {
		t.Fatal(err)
	}
	w.PyTorchJob("first", world.Job{Workers: 1, Max: 4, Suspended: true, Queue: "default", Change: cores("4")})
	w.Eventually("the first is at the limit of its quota", world.Soon, func() error { return runs(w, "first", 2) })
	w.PyTorchJob("second", world.Job{Workers: 1, Max: 2, Suspended: true, Queue: "default", Change: cores("100m")})
	w.Eventually("the second uses what the first cannot", world.Soon, func() error {
		return errors.Join(runs(w, "first", 2), runs(w, "second", 2))
	})
}
