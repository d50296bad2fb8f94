package planning_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
)

// GPUs are kept free for a pod that waits for them. One that does not use them waits for something else, or cannot have
// them on one node; it is told so, and takes none from promised jobs any more.
func TestAPodThatDoesNotUseItsRoomGetsNoMore(t *testing.T) {
	for reason, test := range map[string]struct {
		gpus string
		says string
	}{
		"RoomUnused": {"1", "for 2m, and it has not used them"},
		"RoomSplit":  {"2", "for 2m, but they are on several nodes"},
	} {
		t.Run(reason, func(t *testing.T) { isToldOf(t, reason, test.says, resource.MustParse(test.gpus)) })
	}
}

// isToldOf has a pod of so many GPUs wait where one is free on each of two nodes.
func isToldOf(t *testing.T, reason, says string, gpus resource.Quantity) {
	t.Helper()
	job, other := fixture.PyTorchJob("resnet", 2), fixture.Outsider("other")
	other.Spec.Containers[0].Resources.Limits[corev1.ResourceName("nvidia.com/gpu")] = gpus
	workers := fixture.WorkersOf(job, 2, "a")
	workers[1].Spec.NodeName = "b"
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.ElasticJob("resnet"), job, workers[0], workers[1], other,
		fixture.Node("a", "2"), fixture.Node("b", "2"))
	o.GPUs.After = 10 * time.Second
	o.Settings.Outsiders.UsedWithin = metav1.Duration{Duration: 2 * time.Minute}
	events := fixture.Listens(o)
	wanted := func(after time.Duration) []elastic.Demand {
		t.Helper()
		o.Now = func() time.Time { return fixture.Start.Add(after) }
		sc, err := o.Planner.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return sc.Snapshot.Demands
	}
	all := []elastic.Demand{{Pool: "A100", GPUs: elastic.GPUs(gpus.Value())}}
	if all[0].GPUs > 1 {
		all[0].Pods = []elastic.Pod{{GPUs: all[0].GPUs}}
	}
	for _, after := range []time.Duration{0, time.Minute, 2 * time.Minute} { // the last tells it
		if diff := cmp.Diff(all, wanted(after)); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", after, diff)
		}
	}
	if told := <-events; !strings.Contains(told, reason) || !strings.Contains(told, says) {
		t.Errorf("told: %s", told)
	}
	for _, after := range []time.Duration{3 * time.Minute, time.Hour} {
		if got := wanted(after); len(got) > 0 {
			t.Errorf("after %s: %v", after, got)
		}
	}
	if len(events) > 0 {
		t.Errorf("told again: %s", <-events)
	}
}

// Who makes pods that say that they are a worker of his job, of which there is one already, gives nobody any GPUs: what
// they hold is taken.
func TestPodsThatPretendToBeAWorkerHoldWhatTheyHold(t *testing.T) {
	job := fixture.PyTorchJob("odd", 1)
	objects := []client.Object{fixture.Node("node", "8"), fixture.ElasticJob("odd"), job, fixture.ElasticJob("good"),
		fixture.PyTorchJob("good", 1, fixture.SuspendedAtFirst)}
	for i := range 5 {
		pod := fixture.Worker0(job, "node")
		pod.Name, pod.UID = fmt.Sprintf("odd-%d", i), types.UID(fmt.Sprintf("pod-odd-%d", i))
		objects = append(objects, pod)
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	if _, err := o.Planner.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if shared := o.Last.Load().Nodes[0].GPUs; shared != 4 {
		t.Errorf("%d GPUs are shared out: of 8, four are held by pods that are no workers", shared)
	}
}

// A pod of others needs its GPUs on one node. A job that has workers there gives way; where none could leave it as many
// on one node, none does.
func TestJobsGiveWayWhereAPodFindsItsGPUsOnOneNode(t *testing.T) {
	for name, test := range map[string]struct {
		gpus  string // of each node
		crews map[string][]string
		want  []string
	}{
		"one has two on a node": {
			"4", map[string][]string{"y": {"a", "b", "a"}, "x": {"b", "b", "b"}, "w": {"a", "a"}}, []string{"x-1: 3 to 1"},
		},
		"one on each would leave": {
			"2", map[string][]string{"x": {"a", "b"}, "y": {"b", "a"}}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			other := fixture.Outsider("other")
			other.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"] = resource.MustParse("2")
			objects := []client.Object{fixture.Node("a", test.gpus), fixture.Node("b", test.gpus), other}
			for crew, nodes := range test.crews {
				job := fixture.PyTorchJob(crew, int32(len(nodes)))
				objects = append(objects, job, fixture.ElasticJob(crew, fixture.BestEffort))
				objects = append(objects, fixture.CrewOn(job, nodes...)...)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			var all v1alpha1.ResizeList
			if err := o.Client.List(t.Context(), &all); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range all.Items {
				got = append(got, fmt.Sprintf("%s: %d to %d", r.Name, r.Spec.From, r.Spec.To))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("resizes (-want +got):\n%s", diff)
			}
		})
	}
}

// A pod that asks for several GPUs of one node does not have them while a job still gives some back, though as many are
// free on several. Its time to use them begins after that.
func TestAPodDoesNotHaveItsRoomWhileAJobGivesSomeBack(t *testing.T) {
	other, job, ej := fixture.Outsider("other"), fixture.PyTorchJob("resnet", 2), fixture.ElasticJob("resnet")
	other.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"] = resource.MustParse("2")
	objects := append(fixture.CrewOn(job, "a", "b"), ej, job, other, fixture.Node("a", "2"), fixture.Node("b", "2"),
		fixture.ResizeOf(ej, 1, 2, 1))
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	o.GPUs.After = 10 * time.Second
	o.Settings.Outsiders.UsedWithin = metav1.Duration{Duration: 2 * time.Minute}
	events := fixture.Listens(o)
	for _, after := range []time.Duration{0, time.Minute, 3 * time.Minute} {
		o.Now = func() time.Time { return fixture.Start.Add(after) }
		sc, err := o.Planner.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(sc.Snapshot.Demands) == 0 {
			t.Errorf("after %s it is left nothing", after)
		}
	}
	if len(events) > 0 {
		t.Errorf("told: %s", <-events)
	}
}
