package planning_test

import (
	"fmt"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// Nobody can keep the new workers of a Job that runs to the GPUs that the others have: its template stays as it is.
// Where there are other GPUs it grows by a restart.
func TestAFrozenJobGrowsByARestartWhereItsWorkersCouldGetOtherGPUs(t *testing.T) {
	other := fixture.Node("other", "8")
	other.Labels["nvidia.com/gpu.product"] = "H100"
	pinned := func(job *batchv1.Job) {
		job.Spec.Template.Spec.NodeSelector = map[string]string{"nvidia.com/gpu.product": "A100"}
	}
	for name, c := range map[string]struct {
		job   func(*batchv1.Job)
		nodes []client.Object
		want  v1alpha1.ResizeMode
	}{
		"all GPUs are of one kind":           {func(*batchv1.Job) {}, nil, v1alpha1.ResizeLive},
		"there are others":                   {func(*batchv1.Job) {}, []client.Object{other}, v1alpha1.ResizeCold},
		"there are others, and it is pinned": {pinned, []client.Object{other}, v1alpha1.ResizeLive},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.KubernetesJob(batchv1.IndexedCompletion)
			job.Spec.Template.Spec.Containers[0].Command = []string{"torchrun", "--nnodes=1:8",
				"--max-restarts=100", "--rdzv-backend=c10d", "train.py"}
			job.Spec.BackoffLimit = new(int32(100))
			c.job(job)
			ej := fixture.ElasticJob("resnet", fixture.BestEffort, func(ej *v1alpha1.ElasticJob) {
				ej.Spec.JobRef = v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job", Name: "resnet"}
				ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(8)), Max: new(int32(8))}
			})
			objects := append([]client.Object{fixture.Node("node", "8"), job, ej}, c.nodes...)
			for index := range 2 {
				objects = append(objects, podOf(job, index, "node"))
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			if r := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}); r.Spec.To != 8 || r.Spec.Mode != c.want {
				t.Errorf("%+v, want a %s one to 8", r.Spec, c.want)
			}
		})
	}
}

// podOf is a pod of a Job, running.
func podOf(job *batchv1.Job, index int, node string) *corev1.Pod {
	number := fmt.Sprint(index)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: job.Namespace, Name: job.Name + "-" + number, UID: types.UID("pod-" + number),
			Labels:      map[string]string{batchv1.JobCompletionIndexAnnotation: number, batchv1.JobNameLabel: job.Name},
			Annotations: map[string]string{batchv1.JobCompletionIndexAnnotation: number},
			OwnerReferences: []metav1.OwnerReference{
				{APIVersion: "batch/v1", Kind: "Job", Name: job.Name, UID: job.UID, Controller: new(true)},
			},
		},
		Spec:   corev1.PodSpec{NodeName: node, Containers: job.Spec.Template.Spec.Containers},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
}
