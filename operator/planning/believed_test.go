package planning_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/view"
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
			if d := decided(o, "good"); d.Workers < 4 {
				t.Errorf("the other job is to have %d workers: %s", d.Workers, d.Why)
			}
		})
	}
}

// Of some pods of a job that are unlike the others, or hold nothing any more, nobody counts all for such.
func TestWorkersHaveTheGPUsOfTheirPods(t *testing.T) {
	job := fixture.PyTorchJob("odd", 4)
	pods := func(change func(all []*corev1.Pod)) *view.Subject {
		s := &view.Subject{Job: kind.Job{Size: 4, Worker: &job.Spec.PyTorchReplicaSpecs["Worker"].Template}}
		all := fixture.WorkersOf(job, 4, "node")
		change(all)
		for i, pod := range all {
			s.Pods = append(s.Pods, view.Worker{Index: resize.Index(i), Pod: pod})
		}
		return s
	}
	has := func(pod *corev1.Pod, gpus string) {
		pod.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{
			Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(gpus)}}}}
	}
	leader := pods(func(all []*corev1.Pod) {
		has(all[0], "0")
		for _, pod := range all[1:] {
			pod.Spec.NodeName = ""
		}
	})
	leader.Job.Fixed, leader.Job.Worker = 1, fixture.PyTorchJob("odd", 4, asks("8")).Spec.PyTorchReplicaSpecs["Worker"].
		Template.DeepCopy()
	for name, test := range map[string]struct {
		s    *view.Subject
		want elastic.GPUs
	}{
		"all alike":               {pods(func([]*corev1.Pod) {}), 1},
		"one made anew with more": {pods(func(all []*corev1.Pod) { has(all[3], "8") }), 3},
		"one that has failed": {pods(func(all []*corev1.Pod) {
			has(all[3], "8")
			all[3].Status.Phase = corev1.PodFailed
		}), 1},
		"a leader without GPUs that comes first": {leader, 8},
	} {
		t.Run(name, func(t *testing.T) {
			nvidia := capacity.Options{Resources: []corev1.ResourceName{"nvidia.com/gpu"}}
			if got := test.s.GPUsPerWorker(nvidia); got != test.want {
				t.Errorf("each has %d GPUs, want %d", got, test.want)
			}
		})
	}
}

// greedy is a job that is there with eight workers, as it was never suspended, and is never to be stopped. Some have
// nodes, and beside it trains one that holds all four GPUs of its node.
func greedy(t *testing.T, placed int, free string, age time.Duration) (o *rooms.Rooms, pods []*corev1.Pod) {
	t.Helper()
	good, greedy := fixture.PyTorchJob("good", 4), fixture.PyTorchJob("greedy", 8)
	objects := append(fixture.CrewOn(good, "good", "good", "good", "good"), fixture.Node("good", "4"),
		fixture.ElasticJob("good"), good, fixture.ElasticJob("greedy", forGood), greedy, fixture.Node("other", free))
	pods = fixture.WorkersOf(greedy, 8, "other")
	for i, pod := range pods {
		pod.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-age))
		if i >= placed {
			pod.Spec.NodeName, pod.Status.Phase = "", corev1.PodPending
			pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse,
				Reason: corev1.PodReasonUnschedulable, Message: "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."}}
		}
		objects = append(objects, pod)
	}
	return fixture.Stopped(t, interceptor.Funcs{}, objects...), pods
}

// While none of its workers has a node, such a job holds nothing: its queue gives it what it may have, and others keep
// what they have.
func TestPodsWithoutNodesTakeNoGPUsFromOthers(t *testing.T) {
	for name, test := range map[string]struct {
		placed int
		free   string // GPUs beside those of the other job
		age    time.Duration
		want   elastic.Workers
	}{
		"none has a node, and there is no room":       {0, "0", 0, 0},
		"some have nodes, and there is no room":       {3, "3", 0, 3},
		"some have nodes, and more room is coming":    {3, "5", 0, 3},
		"none has a node, and there is room":          {0, "8", 0, 8},
		"some have nodes, and there is room":          {3, "8", 0, 8},
		"some have nodes, and the others do not come": {3, "8", time.Hour, 3},
		"all have nodes":                              {8, "8", time.Hour, 8},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := greedy(t, test.placed, test.free, test.age)
			for range 2 {
				fixture.Plans(t, o)
				if d := decided(o, "greedy"); d.Workers != test.want {
					t.Errorf("it is to have %d workers, want %d: %s", d.Workers, test.want, d.Why)
				}
				if d := decided(o, "good"); d.Workers < 4 {
					t.Errorf("the other job is to have %d workers: %s", d.Workers, d.Why)
				}
			}
			if resizes := fixture.ResizesOf(t, o); len(resizes) > 0 {
				t.Errorf("nobody is to be resized: %v", resizes)
			}
		})
	}
}

// Workers that are made anew find their places kept, whoever plans by then.
func TestWorkersThatAreMadeAnewFindTheirPlaces(t *testing.T) {
	o, pods := greedy(t, 8, "8", time.Hour)
	fixture.Plans(t, o)
	if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("greedy")); err != nil {
		t.Fatal(err)
	}
	for _, pod := range pods[2:] {
		if err := o.Client.Delete(t.Context(), pod); err != nil {
			t.Fatal(err)
		}
	}
	waits := fixture.PyTorchJob("waits", 6, fixture.SuspendedAtFirst)
	for _, object := range []client.Object{fixture.ElasticJob("waits"), waits} {
		if err := o.Client.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	fixture.Plans(t, o)
	if resizes := fixture.ResizesOf(t, o); len(resizes) > 0 {
		t.Errorf("others have their places: %v", resizes)
	}
	for _, leader := range []*rooms.Rooms{o, fixture.Afresh(o)} {
		sc, err := leader.Planner.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, job := range sc.Snapshot.Jobs {
			if job.Name == "team/greedy" && (job.Workers != 8 || job.OnItsOwn) {
				t.Errorf("it has %d workers, want 8; on its own: %t", job.Workers, job.OnItsOwn)
			}
		}
	}
}

// decided is what was decided for a job at last.
func decided(o *rooms.Rooms, name string) elastic.Outcome {
	if d := o.Memory.Of("job-"+types.UID(name), fixture.Start, fixture.Unseen).Decided(); d != nil {
		return *d
	}
	return elastic.Outcome{}
}
