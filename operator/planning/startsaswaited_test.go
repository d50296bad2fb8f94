package planning_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
)

// A job that starts is planned as when that was decided, until it trains: with the same speeds, wherever its workers
// come to be, and the same pause; and so is one that trains beside it. What it was decided by would else seem wrong at
// once, and it would be stopped, be planned as it waits, and be started again.
func TestAJobThatStartsIsPlannedAsItWaited(t *testing.T) {
	profile := profileOn("resnet50", 0.25, 1, 2)
	for kind, pause := range map[v1alpha1.RestartKind]int64{v1alpha1.RestartStart: 200_000, v1alpha1.RestartLive: 20_000} {
		profile.Status.Restarts = append(profile.Status.Restarts, v1alpha1.MeasuredRestart{Run: "resnet50-1", Kind: kind,
			PauseMilliseconds: pause, Count: 3, UpdatedAt: v1alpha1.NewTime(fixture.Start)})
	}
	known := func(ej *v1alpha1.ElasticJob) { ej.Spec.Profile, ej.Spec.Progress.Total = "resnet50", "1e6" }
	ej := fixture.ElasticJob("resnet", fixture.BestEffort, known)
	planned := func(objects ...client.Object) (all []elastic.Job) {
		t.Helper()
		trains := fixture.PyTorchJob("bert", 2)
		objects = append(objects, fixture.CrewOn(trains, "a", "a")...)
		o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, ej.DeepCopy(), profile.DeepCopy(), trains,
			fixture.ElasticJob("bert", fixture.BestEffort, known), fixture.Node("a", "4"), fixture.Node("b", "4"))...)
		sc, err := o.Planner.Observe(t.Context())
		if err != nil || len(sc.Snapshot.Jobs) != 2 {
			t.Fatal(sc, err)
		}
		for _, job := range sc.Snapshot.Jobs {
			all = append(all, elastic.Job{Name: job.Name, Sizes: job.Sizes, Pause: job.Pause, Left: job.Left, Done: job.Done,
				Unsaved: job.Unsaved})
		}
		return all
	}
	job := fixture.PyTorchJob("resnet", 3)
	starts := append(fixture.CrewOn(job, "a", "a", "b"), job, fixture.ResizeOf(ej, 1, 0, 3, v1alpha1.ConditionPlaced))
	waits := planned(fixture.PyTorchJob("resnet", 3, fixture.SuspendedAtFirst))
	if waits[1].Pause < 200 || waits[0].Sizes[3].Speed == 0 || waits[1].Sizes[3].Speed == 0 {
		t.Fatalf("as it waits nothing is known: %+v", waits)
	}
	if diff := cmp.Diff(waits, planned(starts...)); diff != "" {
		t.Errorf("(-as it waited +as it starts):\n%s", diff)
	}
}
