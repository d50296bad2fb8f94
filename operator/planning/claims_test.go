package planning_test

import (
	"context"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
)

// A process may die after each of its writes. Where it dies right after it has had a job give GPUs back, the next one
// knows for whom: if it did not, the job might get them back, and would have paid twice for nothing.
func TestWhatIsGivenBackIsKnownToBeForWhomBeforeItIs(t *testing.T) {
	giver := fixture.PyTorchJob("giver", 6)
	objects := []client.Object{fixture.Node("node", "8"), giver, fixture.ElasticJob("giver"), fixture.ElasticJob("taker"),
		fixture.PyTorchJob("taker", 4, fixture.SuspendedAtFirst)}
	for _, pod := range fixture.WorkersOf(giver, 6, "node") {
		objects = append(objects, pod)
	}
	now := fixture.Start
	var o *rooms.Rooms
	var next []elastic.Job // as the next process knows them, once the giver gives
	o = fixture.Stopped(t, interceptor.Funcs{Create: func(ctx context.Context, c client.WithWatch, object client.Object,
		options ...client.CreateOption) error {
		if r, is := object.(*v1alpha1.Resize); is && r.Spec.ElasticJob == "giver" {
			now = now.Add(time.Second)
			sc, err := fixture.Afresh(o).Planner.Observe(ctx)
			if err != nil {
				t.Error(err)
				return err
			}
			next = sc.Snapshot.Jobs
		}
		return c.Create(ctx, object, options...)
	}}, objects...)
	o.Now = func() time.Time { return now }
	o.Planner.Decide = func(s elastic.Snapshot) elastic.Decision {
		d := elastic.Plan(s)
		to := map[string]elastic.Workers{"team/giver": 2, "team/taker": 4}
		d.Resizes = nil
		for i, j := range s.Jobs {
			d.Jobs[i].Workers, d.Jobs[i].Reason, d.Jobs[i].Why = to[j.Name], elastic.ForDeadline, "It needs them."
			d.Resizes = append(d.Resizes, elastic.Resize{Job: j.Name, From: j.Workers, To: to[j.Name]})
		}
		return d
	}
	if _, err := o.Planner.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if fixture.Get(t, o, "giver-1", &v1alpha1.Resize{}).Spec.To != 2 {
		t.Error("the giver does not give")
	}
	for _, j := range next {
		if j.Name != "team/taker" {
			continue
		}
		if j.Awaits == nil || j.Awaits.Workers != 4 || j.Awaits.Why != "It needs them." {
			t.Errorf("the next process knows that the taker is to have %+v, want 4 workers", j.Awaits)
		}
		return
	}
	t.Error("the next process does not know the taker")
}
