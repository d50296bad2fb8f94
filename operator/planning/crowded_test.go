package planning_test

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// A job does not grow into the room of one that starts beside it, though it is planned as if that were vacant.
func TestNobodyGrowsIntoTheRoomOfOneThatStarts(t *testing.T) {
	for name, want := range map[string]string{"resnet": memory.ReasonCrowded, "": ""} {
		trains, starts := fixture.PyTorchJob("bert", 2), fixture.PyTorchJob("resnet", 3)
		ej := fixture.ElasticJob("resnet", fixture.BestEffort)
		objects := append(fixture.CrewOn(trains, "a", "a"), trains, fixture.ElasticJob("bert", fixture.BestEffort),
			fixture.Node("a", "4"), fixture.Node("b", "4"))
		outcomes := []elastic.Outcome{{Name: "team/bert", Workers: 4}}
		if name != "" {
			objects = append(append(objects, fixture.CrewOn(starts, "a", "a", "b")...), []client.Object{starts, ej,
				fixture.ResizeOf(ej, 1, 0, 3, v1alpha1.ConditionPlaced)}...)
			outcomes = append(outcomes, elastic.Outcome{Name: "team/resnet", Workers: 3})
		}
		o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
		o.Planner.Decide = func(elastic.Snapshot) elastic.Decision {
			return elastic.Decision{Jobs: outcomes, Resizes: []elastic.Resize{
				{Job: "team/bert", From: 2, To: 4, Reason: elastic.SpareCapacity}}}
		}
		fixture.Plans(t, o)
		s, err := o.View.Look(t.Context(), fixture.Get(t, o, "bert", &v1alpha1.ElasticJob{}))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Known.HinderedBy().Reason; got != want {
			t.Errorf("beside %q it is hindered by %q, want %q", name, got, want)
		}
	}
}
