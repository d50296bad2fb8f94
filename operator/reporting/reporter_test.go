package reporting_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// A plan can have news of every job of a cluster at once, and tells it once.
func TestNoReportIsLost(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{})
	o.Report(fixture.Request("nobody listens yet").NamespacedName)
	counts := &fixture.Counting{Seen: map[reconcile.Request]int{}}
	_ = o.Asks.Reporter.Open(t.Context(), counts)
	for i := range 5000 {
		o.Report(fixture.Request(fmt.Sprint("job-", i)).NamespacedName)
	}
	if len(counts.Seen) != 5000 {
		t.Errorf("of 5000 jobs with news %d are looked at", len(counts.Seen))
	}
}

// A job that is adopted and whose status is written in the same pass costs two writes, and neither is
// refused.
func TestAdoptingAJobCostsNoConflict(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1))
	if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
		t.Fatal(err)
	}
	ej := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
	if len(ej.OwnerReferences) != 1 || ej.Status.Verdict == "" {
		t.Errorf("owned by %v, with verdict %q", ej.OwnerReferences, ej.Status.Verdict)
	}
}

// Somebody may guard the metadata of ElasticJobs. What there is to say of the job is said all the same.
func TestAJobThatMayNotBeAdoptedIsToldOf(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{
		Patch: func(_ context.Context, _ client.WithWatch, object client.Object, _ client.Patch,
			_ ...client.PatchOption) error {
			return apierrors.NewForbidden(schema.GroupResource{Group: "takt.dev", Resource: "elasticjobs"}, object.GetName(),
				errors.New("by policy"))
		},
	}, fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1))
	told := fixture.Listens(o)
	if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
		t.Fatal(err)
	}
	if ej := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}); ej.Status.Verdict == "" {
		t.Error("nothing is said of it")
	}
	select {
	case says := <-told:
		if !strings.HasPrefix(says, "Warning NotOwned ") || !strings.Contains(says, "by policy") {
			t.Errorf("it is told: %s", says)
		}
	default:
		t.Error("nobody is told")
	}
}

// Where a plan is about to be made, nothing is said before it; but not for ever.
func TestTheFirstWordOnAJobIsThatOfAPlan(t *testing.T) {
	for name, test := range map[string]struct {
		age  time.Duration
		want v1alpha1.Verdict
	}{
		"it was just made":    {0, ""},
		"no plan is made yet": {memory.MostPatience, v1alpha1.VerdictEstimating},
	} {
		t.Run(name, func(t *testing.T) {
			o := fixture.Stopped(t, interceptor.Funcs{}, fixture.PyTorchJob("resnet", 1),
				fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
					ej.CreationTimestamp, ej.Spec.DeadlineAfter = metav1.NewTime(fixture.Start.Add(-test.age)), "6h"
				}))
			result, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet"))
			if err != nil || (test.want == "") != (result.RequeueAfter == memory.MostPatience) {
				t.Fatalf("looked at again after %v: %v", result.RequeueAfter, err)
			}
			if got := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status.Verdict; got != test.want {
				t.Errorf("the verdict is %q, want %q", got, test.want)
			}
		})
	}
}
