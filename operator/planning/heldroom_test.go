package planning_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
)

// besideAService is a cluster of one node of 64 CPUs, on which a pod without GPUs holds some, and a job waits whose
// workers take 60 each.
func besideAService(t *testing.T, holds string) *rooms.Rooms {
	t.Helper()
	cpus := func(n string) corev1.ResourceList { return corev1.ResourceList{"cpu": resource.MustParse(n)} }
	job := fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst, func(job *kubeflow.PyTorchJob) {
		worker := &job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0]
		worker.Resources.Requests = cpus("60")
	})
	node := fixture.Node("node", "8")
	node.Status.Allocatable["cpu"] = resource.MustParse("64")
	service := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "web", Name: "web"},
		Spec: corev1.PodSpec{NodeName: "node", Containers: []corev1.Container{
			{Name: "web", Resources: corev1.ResourceRequirements{Requests: cpus(holds)}},
		}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	return fixture.Stopped(t, interceptor.Funcs{}, job, fixture.ElasticJob("resnet"), node, service)
}

// Pods without GPUs come and go by the thousand. The end of one calls for a plan where a worker waits for its CPU, and
// nowhere else.
func TestAPodWithoutGPUsCallsForAPlanWhereItIsInTheWay(t *testing.T) {
	for name, test := range map[string]struct {
		holds string          // CPUs
		left  string          // the node that such a pod leaves
		gets  elastic.Workers // of eight that the job may have
		want  bool
	}{
		"it is in the way of a worker":     {"8", "node", 0, true},
		"it leaves enough":                 {"2", "node", 0, false},
		"it was on another node":           {"8", "other", 0, false},
		"the job is to have all it may":    {"8", "node", 8, false},
		"the job may be larger than it is": {"8", "node", 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := besideAService(t, test.holds)
			o.Planner.Decide = func(elastic.Snapshot) elastic.Decision {
				return elastic.Decision{Jobs: []elastic.Outcome{{Name: "team/resnet", Workers: test.gets}}}
			}
			fixture.Plans(t, o)
			o.Planner.HearRoom(test.left)
			if got := len(o.Planner.News) > 0; got != test.want {
				t.Errorf("it calls for a plan: %t, want %t", got, test.want)
			}
		})
	}
}

// A plan has not seen what happens while it is made.
func TestAPodWithoutGPUsThatEndsDuringAPlanIsNotMissed(t *testing.T) {
	o := besideAService(t, "8")
	o.Planner.Decide = func(elastic.Snapshot) elastic.Decision {
		o.Planner.HearRoom("node") // no plan before this one knew of the job
		return elastic.Decision{Jobs: []elastic.Outcome{{Name: "team/resnet"}}}
	}
	fixture.Plans(t, o)
	if len(o.Planner.News) == 0 {
		t.Error("it calls for no plan")
	}
}
