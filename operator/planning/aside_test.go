package planning_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// A snapshot shows whoever cannot run, whatever is decided, so that it can be told from it who is set aside.
func TestASnapshotShowsWhoCannotRun(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst)
	for name, test := range map[string]struct {
		ej   *v1alpha1.ElasticJob
		gpus string
		want []elastic.Idle
	}{
		"it can":            {fixture.ElasticJob("resnet"), "8", nil},
		"no node has a GPU": {fixture.ElasticJob("resnet"), "0", []elastic.Idle{{Name: "team/resnet", NoNode: true}}},
		"it starts after no job": {fixture.ElasticJob("resnet", startsAfter("nobody")), "8",
			[]elastic.Idle{{Name: "team/resnet", Blocked: "PredecessorMissing"}}},
	} {
		t.Run(name, func(t *testing.T) {
			o := fixture.Stopped(t, interceptor.Funcs{}, job.DeepCopy(), test.ej, fixture.Node("node", test.gpus))
			fixture.Plans(t, o)
			last := o.Last.Load()
			if diff := cmp.Diff(test.want, last.Idle); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if takesPart := len(last.Jobs) == 1; takesPart != (test.want == nil) {
				t.Errorf("it takes part: %t", takesPart)
			}
		})
	}
}

// What a job waited for in vain hinders it no more once somebody has put that right.
func TestAJobIsNotHinderedByWhatHasChanged(t *testing.T) {
	ej := fixture.ElasticJob("resnet", startsAfter("first"))
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst),
		fixture.Node("node", "8"))
	hindered := func() memory.Hindrance {
		t.Helper()
		fixture.Plans(t, o)
		s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
		if err != nil {
			t.Fatal(err)
		}
		return s.Known.HinderedBy()
	}
	if h := hindered(); h.Reason != "PredecessorMissing" || h.Message == "" {
		t.Errorf("it is hindered by %+v", h)
	}
	for _, object := range []client.Object{fixture.PyTorchJob("first", 1), fixture.ElasticJob("first")} {
		if err := o.Client.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	if h := hindered(); h != (memory.Hindrance{}) {
		t.Errorf("afterwards it is hindered by %+v", h)
	}
}

// Others have the room that a job has left, and it is set aside all the same until one of its workers has a node.
func TestAJobThatHasLeftItsRoomStaysAside(t *testing.T) {
	now, job, node := fixture.Start, fixture.PyTorchJob("resnet", 1), fixture.Node("node", "8")
	o := fixture.Stopped(t, interceptor.Funcs{}, node, job, fixture.ElasticJob("resnet"),
		pendingWorker(job, 0, `persistentvolumeclaim "data" not found`))
	o.Planner.Now = func() time.Time { return now }
	for range 3 {
		fixture.Plans(t, o)
		now = now.Add(time.Minute)
	}
	if err := o.Client.Delete(t.Context(), node); err != nil {
		t.Fatal(err)
	}
	fixture.Plans(t, o)
	if idle := o.Last.Load().Idle; len(idle) != 1 || !idle[0].LeftRoom {
		t.Errorf("without its node there is %+v", idle)
	}
}

func startsAfter(name string) func(*v1alpha1.ElasticJob) {
	return func(ej *v1alpha1.ElasticJob) { ej.Spec.After = []v1alpha1.Predecessor{{Name: name}} }
}
