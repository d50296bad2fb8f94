package reporting_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/reporting"
)

// How a job has ended stays so when the job goes, whenever that is: its deadline is met, and passes all the same.
func TestWhatWasSaidOfAnEndStands(t *testing.T) {
	for name, c := range map[string]struct {
		finalizers []string
		another    bool
		deadline   bool
		failed     bool
	}{
		"it is being deleted":   {[]string{"foregroundDeletion"}, false, true, false},
		"it is gone":            {nil, false, true, false},
		"it is another":         {nil, true, true, false},
		"it has no deadline":    {nil, false, false, false},
		"it has failed":         {nil, false, true, true},
		"it failed, and leaves": {[]string{"foregroundDeletion"}, false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 1, fixture.FinishedAt(fixture.Start.Add(-time.Minute)))
			if job.Finalizers = c.finalizers; c.failed {
				job.Status.Conditions[0].Type = kubeflow.JobFailed
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				if c.deadline {
					ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(time.Hour))
				}
			}))
			now := fixture.Start
			o.Now = func() time.Time { return now }
			o.Furnish()
			told := func() v1alpha1.ElasticJobStatus {
				if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
				return fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status
			}
			before := told()
			if !before.Over() {
				t.Fatalf("it has not ended: %+v", before)
			}
			if err := o.Client.Delete(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			if c.another {
				another := fixture.PyTorchJob("resnet", 1)
				another.UID = "another"
				if err := o.Client.Create(t.Context(), another); err != nil {
					t.Fatal(err)
				}
			}
			says := fixture.Listens(o)
			for _, now = range []time.Time{now.Add(time.Minute), now.Add(2 * time.Hour)} {
				if diff := cmp.Diff(before, told()); diff != "" {
					t.Errorf("at %s (-before +after)\n%s", now.Format("15:04"), diff)
				}
			}
			select {
			case event := <-says:
				t.Errorf("it is told: %s", event)
			default:
			}
			s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
			if err != nil {
				t.Fatal(err)
			}
			refused, err := o.View.Refuse(t.Context(), s)
			if err != nil || !reporting.Outspoken(s, refused) {
				t.Errorf("each plan has it told anew (%v)", err)
			}
		})
	}
}
