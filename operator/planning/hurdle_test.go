package planning_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
)

// unable is a worker that cannot run, for as long as its image is not there.
func unable(pod *corev1.Pod) {
	c := corev1.ContainerStatus{Name: "pytorch"}
	c.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: "Back-off pulling image"}
	pod.Status.Phase, pod.Status.ContainerStatuses = corev1.PodPending, []corev1.ContainerStatus{c}
}

// A further worker of a job of which one cannot run could not run either.
func TestAJobOfWhichAWorkerCannotRunIsNotGrown(t *testing.T) {
	for name, c := range map[string]struct {
		unable bool
		most   elastic.Workers
	}{"both run": {false, 8}, "one cannot": {true, 2}} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 2)
			objects := []client.Object{job, fixture.ElasticJob("resnet"), fixture.Node("node", "8")}
			for i, pod := range fixture.WorkersOf(job, 2, "node") {
				if c.unable && i == 1 {
					unable(pod)
				}
				objects = append(objects, pod)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			sizes := o.Last.Load().Jobs[0].Sizes
			if most := sizes[len(sizes)-1].Workers; most != c.most {
				t.Errorf("it may have up to %d workers, want %d", most, c.most)
			}
		})
	}
}
