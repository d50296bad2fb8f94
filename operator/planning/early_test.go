package planning_test

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/fixture"
)

// A job that has no workers has nothing to tell, and others do not wait for it.
func TestTheFirstPlanWaitsOnlyForJobsThatTrain(t *testing.T) {
	for name, want := range map[string]bool{"it trains": true, "it has no workers": false} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 1)
			objects := []client.Object{job, fixture.ElasticJob("resnet"), fixture.Node("node", "8")}
			if want {
				objects = append(objects, fixture.Worker0(job, "node"))
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			o.Planner.Warm.Store(false)
			sc, err := o.Planner.Observe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if early := o.Planner.Early(sc); early != want {
				t.Errorf("it waits: %t, want %t", early, want)
			}
		})
	}
}
