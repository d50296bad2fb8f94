package planning_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
)

// forGood has Takt never stop a job again, so that it gives back nothing.
func forGood(ej *v1alpha1.ElasticJob) { ej.Spec.Interruptible = new(false) }

// asks has each worker of a job that are yet to be made ask for so many GPUs.
func asks(gpus string) func(*kubeflow.PyTorchJob) {
	return func(j *kubeflow.PyTorchJob) {
		worker := &j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0]
		worker.Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(gpus)}
	}
}

// planned is how the last plan has seen a job.
func planned(t *testing.T, o *rooms.Rooms, name string) elastic.Job {
	t.Helper()
	for _, job := range o.Last.Load().Jobs {
		if job.Name == "team/"+name {
			return job
		}
	}
	t.Fatalf("%s is not planned for", name)
	return elastic.Job{}
}

// Anybody may write any number into the template of a job that trains: no pod of it changes, and no quota counts it.
// Nobody else is stopped for it.
func TestChangedTemplateTakesNoGPUsFromOthers(t *testing.T) {
	for _, gpus := range []string{"2", "8", "4M", "5M", "9E"} {
		t.Run(gpus, func(t *testing.T) {
			odd, good := fixture.PyTorchJob("odd", 1), fixture.PyTorchJob("good", 4)
			changed := fixture.PyTorchJob("odd", 1, asks(gpus))
			objects := append(fixture.CrewOn(good, "node", "node", "node", "node"), fixture.Node("node", "8"),
				fixture.ElasticJob("odd", forGood), changed, fixture.Worker0(odd, "node"), fixture.ElasticJob("good"), good)
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			if job := planned(t, o, "odd"); max(job.GPUsPerWorker, 1) != 1 || job.Workers != 1 {
				t.Errorf("it has %d workers of %d GPUs, want 1 of 1", job.Workers, job.GPUsPerWorker)
			}
			for _, r := range fixture.ResizesOf(t, o) {
				t.Logf("resize: %s", r)
			}
			if d := decided(o, "good"); d.Workers < 4 {
				t.Errorf("the other job is to have %d workers: %s", d.Workers, d.Why)
			}
		})
	}
}

// A job that was never suspended is there with as many workers as somebody has written. While none has a node it holds
// nothing, though it is never to be stopped: its queue gives it what it may have, and others keep what they have.
func TestPodsWithoutNodesTakeNoGPUsFromOthers(t *testing.T) {
	for name, test := range map[string]struct {
		placed int // of 8 workers
		free   int // GPUs beside those of the others
		want   elastic.Workers
	}{
		"none has a node, and there is no room": {0, 0, 0},
		"one has a node, and there is no room":  {1, 0, 1},
		"none has a node, and there is room":    {0, 8, 8},
		"all have nodes":                        {8, 0, 8},
	} {
		t.Run(name, func(t *testing.T) {
			good, greedy := fixture.PyTorchJob("good", 4), fixture.PyTorchJob("greedy", 8)
			objects := append(fixture.CrewOn(good, "good", "good", "good", "good"), fixture.Node("good", "4"),
				fixture.ElasticJob("good"), good, fixture.ElasticJob("greedy", forGood), greedy)
			for i, pod := range fixture.WorkersOf(greedy, 8, "other") {
				if i >= test.placed {
					pod.Spec.NodeName, pod.Status.Phase = "", corev1.PodPending
					pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse,
						Reason: corev1.PodReasonUnschedulable, Message: "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."}}
				}
				objects = append(objects, client.Object(pod))
			}
			if most := max(test.placed, test.free); most > 0 {
				objects = append(objects, fixture.Node("other", resource.NewQuantity(int64(most), resource.DecimalSI).String()))
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			if d := decided(o, "greedy"); d.Workers != test.want {
				t.Errorf("it is to have %d workers, want %d: %s", d.Workers, test.want, d.Why)
			}
			if d := decided(o, "good"); d.Workers < 4 {
				t.Errorf("the other job is to have %d workers: %s", d.Workers, d.Why)
			}
			if resizes := fixture.ResizesOf(t, o); len(resizes) > 0 {
				t.Errorf("nobody is to be resized: %v", resizes)
			}
		})
	}
}

// decided is what was decided for a job at last.
func decided(o *rooms.Rooms, name string) elastic.Outcome {
	if d := o.Memory.Of("job-"+types.UID(name), fixture.Start, fixture.Unseen).Decided(); d != nil {
		return *d
	}
	return elastic.Outcome{}
}
