package resizing_test

import (
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// A shrink was decided, and the operator began anew, maybe long after that. It is not carried out before there is a
// plan, which finds that nobody needs what it would give back.
func TestWhoBeginsAnewShrinksNobodyBeforeItHasPlanned(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
	r := fixture.ResizeOf(ej, 3, 3, 2, v1alpha1.ConditionProposed)
	r.Spec.Reason = "GivenBack"
	objects := append(wrappedWorkers(job, 3, "2", nil), ej, job, r, fixture.Node("node", "8"))
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	now := fixture.Start
	o.Now = func() time.Time { return now }
	o.Furnish()
	o.Planner.Warm.Store(false)
	reached := func() string {
		step(t, o, "resnet-3")
		return fixture.Get(t, o, "resnet-3", &v1alpha1.Resize{}).Status.Reached
	}
	fixture.Plans(t, o) // which waits for what the job has to tell
	if got := reached(); got == v1alpha1.ConditionCommitted {
		t.Fatal("it is carried out before there is a plan")
	}
	now = now.Add(11 * time.Second)
	fixture.Plans(t, o)
	if got := reached(); got != v1alpha1.ConditionRolledBack {
		t.Errorf("it is %s, though nobody needs what it would give back", got)
	}
}
