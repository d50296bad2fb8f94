package planning_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

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
