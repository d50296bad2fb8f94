package planning_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
)

// What Kubernetes adds to the pods of a job, such as the defaults of a LimitRange, is seen of those that run.
func TestAQuotaBoundsAJobByWhatItsPodsHave(t *testing.T) {
	for cpus, want := range map[string]elastic.Workers{"0": 6, "4": 3} {
		t.Run(cpus, func(t *testing.T) {
			cpu := func(n string) corev1.ResourceList {
				return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(n)}
			}
			job := fixture.PyTorchJob("resnet", 2)
			job.Spec.ElasticPolicy.MaxReplicas = new(int32(6))
			objects := []client.Object{job, fixture.ElasticJob("resnet", fixture.BestEffort), fixture.Node("node", "8"),
				&corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "cpus"},
					Spec:   corev1.ResourceQuotaSpec{Hard: cpu("14")},
					Status: corev1.ResourceQuotaStatus{Hard: cpu("14"), Used: cpu("8")}}}
			for _, pod := range fixture.WorkersOf(job, 2, "node") {
				pod.Spec.Containers[0].Resources.Requests = cpu(cpus)
				objects = append(objects, pod)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			sizes := o.Last.Load().Jobs[0].Sizes
			if got := sizes[len(sizes)-1].Workers; got != want {
				t.Errorf("it may have up to %d workers, want %d", got, want)
			}
		})
	}
}

// A leader that trains as well is no worker: where it alone runs, a worker is charged for what its template says.
func TestAQuotaIsNotChargedALeaderForAWorker(t *testing.T) {
	memory := func(n string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(n)}
	}
	job := fixture.PyTorchJob("resnet", 1, withCPUMaster, func(j *kubeflow.PyTorchJob) {
		all := j.Spec.PyTorchReplicaSpecs
		all["Master"].Template = fixture.OneGPU()
		all["Master"].Template.Spec.Containers[0].Resources.Requests = memory("64Gi")
		all["Worker"].Template.Spec.Containers[0].Resources.Requests = memory("32Gi")
	})
	ej := fixture.ElasticJob("resnet", fixture.BestEffort, func(ej *v1alpha1.ElasticJob) {
		ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(2)), Max: new(int32(6))}
	})
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "memory"},
		Spec:   corev1.ResourceQuotaSpec{Hard: memory("104Gi")},
		Status: corev1.ResourceQuotaStatus{Hard: memory("104Gi"), Used: memory("64Gi")}}
	o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, quota, masterOf(job, "node"), fixture.Node("node", "8"))
	fixture.Plans(t, o)
	jobs := o.Last.Load().Jobs
	if len(jobs) != 1 {
		t.Fatalf("%d jobs are planned for", len(jobs))
	}
	if got := jobs[0].Sizes[len(jobs[0].Sizes)-1].Workers; got != 3 {
		t.Errorf("it may have up to %d workers, want 3: the leader, the worker that is made again, and one more", got)
	}
}
