package planning_test

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/fixture"
)

// GPUs that a Job cannot use yet, as its controller makes no new pods after three have failed, are left to others; and
// it is planned for them again once it does.
func TestNoPlanGrowsAJobWhosePodsAreHeldBack(t *testing.T) {
	job := fixture.KubernetesJob(batchv1.IndexedCompletion)
	job.Spec.Template.Spec.Containers[0].Command = []string{"torchrun", "--nnodes=1:8", "--rdzv-backend=c10d", "train.py"}
	job.Spec.BackoffLimit, job.Status.Failed = new(int32(100)), 3
	o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Node("node", "8"),
		fixture.ElasticJob("resnet", fixture.BestEffort, func(ej *v1alpha1.ElasticJob) {
			ej.Spec.JobRef = v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job", Name: "resnet"}
		}))
	wait, err := o.Planner.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	held := fixture.Start.Add(40 * time.Second)
	if u := o.Last.Load().Jobs[0].Ungrown; u == nil || u.Until != coretime.Seconds(held) || wait > 40*time.Second {
		t.Errorf("it is not grown for %+v, and planned again in %s; want until %s", u, wait, held)
	}
}
