package planning_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/settings"
)

// What is set for a pool counts before what is set for all, and what pods have is part of their reserve.
func TestWhatJobsLeaveToOtherPods(t *testing.T) {
	held := fixture.Outsider("holds")
	held.Spec.NodeName, held.Status.Phase = "node", corev1.PodRunning
	objects := []client.Object{fixture.Node("node", "8"), held}
	for i := range 5 {
		objects = append(objects, fixture.Outsider(fmt.Sprint("waits-", i)))
	}
	for name, c := range map[string]struct {
		set  settings.Outsiders
		want elastic.GPUs
	}{
		"all that they wait for":     {settings.Outsiders{}, 5},
		"a bound":                    {settings.Outsiders{Most: map[string]int64{"*": 2}}, 2},
		"a bound of the pool itself": {settings.Outsiders{Most: map[string]int64{"*": 2, "A100": 1}}, 1},
		"a reserve, of which one is in use": {
			settings.Outsiders{Reserve: map[string]int64{"A100": 7}, Most: map[string]int64{"A100": 0}}, 6,
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			c.set.UsedWithin.Duration = time.Hour
			o.GPUs.After, o.Settings.Outsiders = time.Second, c.set
			o.Furnish()
			sc, err := o.Planner.Observe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := elastic.GPUs(0)
			for _, d := range sc.Snapshot.Demands {
				got += d.GPUs
			}
			if got != c.want {
				t.Errorf("%d GPUs, want %d", got, c.want)
			}
		})
	}
}
