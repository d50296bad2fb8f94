package planning_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
)

// A job that trains on what another queue is guaranteed does not keep that for good by one line that is written as it
// runs. Nobody who asks for it before has less by a fresh operator.
func TestOneLineMakesNobodyKeepWhatIsLentToIt(t *testing.T) {
	vision := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "vision", UID: "vision"},
		Spec: v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(3))}}
	begin := func(line *bool) *rooms.Rooms {
		job := fixture.PyTorchJob("resnet", 2)
		ej := fixture.ElasticJob("resnet", fixture.BestEffort, func(ej *v1alpha1.ElasticJob) {
			ej.Spec.Interruptible, ej.Spec.Workers = line, v1alpha1.WorkerRange{Min: new(int32(2)), Max: new(int32(2))}
		})
		objects := append(fixture.CrewOn(job, "node", "node"), job, ej, vision.DeepCopy(), fixture.Node("node", "4"))
		o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
		o.Settings.Status.Every.Duration = 0
		o.Furnish()
		return o
	}
	says := func(o *rooms.Rooms, line *bool) {
		t.Helper()
		ej := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
		ej.Spec.Interruptible = line
		if err := o.Client.Update(t.Context(), ej); err != nil {
			t.Fatal(err)
		}
	}
	is := func(o *rooms.Rooms, when, want string) {
		t.Helper()
		sc, err := o.Planner.Observe(t.Context())
		if err != nil || len(sc.Snapshot.Jobs) != 1 {
			t.Fatalf("%s it is not planned for: %v", when, err)
		}
		fixture.Plans(t, o)
		if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
			t.Fatal(err)
		}
		got := "to be stopped"
		switch job := sc.Snapshot.Jobs[0]; {
		case job.Uninterruptible && !job.Lent:
			got = "its own"
		case job.Lent && !job.Uninterruptible:
			got = "lent"
		}
		if got != want {
			t.Errorf("%s what it has is %s, want %s", when, got, want)
		}
	}
	afresh := func(o *rooms.Rooms) *rooms.Rooms {
		t.Helper()
		o = fixture.Afresh(o)
		o.Planner.Warm.Store(true) // it does not wait for what jobs have to tell
		return o
	}
	o := begin(nil)
	is(o, "at first", "to be stopped")
	says(o, new(false))
	is(o, "with the line", "lent")
	o = afresh(o)
	is(o, "after a restart", "lent")
	says(o, nil)
	is(o, "without the line again", "to be stopped")
	o = afresh(o)
	says(o, new(false))
	is(o, "with the line that came while nobody watched", "lent")
	if err := o.Client.Delete(t.Context(), vision.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	is(o, "when the other queue goes", "lent")
	is(o, "once nobody is guaranteed it", "its own")
	if err := o.Client.Create(t.Context(), vision.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	is(o, "though another queue comes", "its own")
	is(afresh(o), "after a restart", "its own")

	o = begin(new(false))
	is(o, "of one that is taken on with the line", "its own")
	is(afresh(o), "after a restart", "its own")
}
