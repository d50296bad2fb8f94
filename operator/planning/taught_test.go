package planning_test

import (
	"fmt"
	"math"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/predictor"
)

// stepOn is how long code takes for a step of one unit a worker, on a network that is slow between two nodes.
func stepOn(computing float64, workers, nodes int32) float64 {
	exchange := 0.05
	if nodes > 1 {
		exchange = 0.3 * (1 + 0.15*math.Log2(float64(workers)/2))
	}
	if nodes == 2 {
		exchange *= 2
	}
	return computing + exchange
}

func profileOn(name string, computing float64, nodes ...int32) *v1alpha1.TrainingProfile {
	p := &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name}}
	p.Status.Unit, p.Status.UpdatedAt = "steps", v1alpha1.NewTime(fixture.Start)
	for _, n := range nodes {
		for _, workers := range []int32{3 * n, 4 * n} {
			p.Status.Speeds = append(p.Status.Speeds, v1alpha1.MeasuredSpeed{
				Run: name + "-1", GPU: "A100", Workers: workers, Nodes: n, Count: 9, UpdatedAt: v1alpha1.NewTime(fixture.Start),
				PerSecond: v1alpha1.Decimal(fmt.Sprintf("%.6f", float64(workers)/stepOn(computing, workers, n))),
			})
		}
	}
	return p
}

// A job whose code was never on two nodes is planned by what other code has met between them, also by a process that
// has just begun.
func TestAJobIsPlannedByWhatOthersMetOnItsNetwork(t *testing.T) {
	off := func(t *testing.T, others ...client.Object) float64 {
		objects := []client.Object{fixture.PyTorchJob("resnet", 4), profileOn("resnet50", 0.25, 1, 3, 4),
			fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Profile = "resnet50" })}
		o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, others...)...)
		s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
		if err != nil {
			t.Fatal(err)
		}
		o.Shelf.Inherit(t.Context(), s)
		var job elastic.Job
		s.Known.Run.Fill(&job, []predictor.Shape{{Workers: 8, Nodes: 2, GPU: "A100"}}, learn.FillOptions{
			Now: o.Now(), Total: 1e6, Unit: "steps",
		})
		return math.Abs(math.Log(float64(job.Sizes[0].Expected) * stepOn(0.25, 8, 2) / 8))
	}
	alone := off(t)
	taught := off(t, profileOn("bert", 0.2, 1, 2, 3, 4), profileOn("vit", 0.3, 1, 2, 3, 4))
	if !(alone > 0.2 && taught < alone/2) {
		t.Errorf("on two nodes it is off by %g with others on its network, and by %g without", taught, alone)
	}
}
