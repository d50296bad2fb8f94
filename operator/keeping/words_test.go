package keeping_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/keeping"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/writing"
)

// Words that change all the time are written down every so often, and the last of them in the end.
func TestStoryWordsThatChangeAllTheTimeTakeFewWrites(t *testing.T) {
	writes := 0
	o := fixture.Stopped(t, interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
			options ...client.PatchOption) error {
			writes++
			return c.Patch(ctx, object, patch, options...)
		},
	}, fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "2027-01-01T00:00:00Z"}))
	now := fixture.Start
	o.Now = func() time.Time { return now }
	of, _ := known.ByKind("PyTorchJob")
	keeper, wait := o.Keeper(of), time.Duration(0)
	look := func() {
		t.Helper()
		result, err := writing.Patiently(keeper, installed.ErrNotLooked).Reconcile(t.Context(), fixture.Request("resnet"))
		if err != nil {
			t.Fatal(err)
		}
		wait = result.RequeueAfter
	}
	look()
	look()
	said, ten := "", 0
	for i := range 295 { // ten a second, for half a minute
		now = now.Add(100 * time.Millisecond)
		said = fmt.Sprintf("2027-01-01T%02d:%02d:00Z", i/60%24, i%60)
		job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
		before := job.DeepCopy()
		job.Annotations[shorthand.DeadlineAnnotation] = said
		if err := o.Client.Patch(t.Context(), job, client.MergeFrom(before)); err != nil {
			t.Fatal(err)
		}
		writes-- // that was his
		look()
		if i == 60 {
			ten = writes
		}
	}
	if most := 2 * (keeping.WordsPace.Most + 1); ten > most {
		t.Errorf("%d writes in the first six seconds, want %d at most", ten, most)
	}
	if more := writes - ten; more > 2*3 {
		t.Errorf("%d writes in the other 24 seconds, want two each ten seconds", more)
	}
	if wait <= 0 || wait > keeping.WordsPace.Every {
		t.Fatalf("the last words wait for %s", wait)
	}
	now = now.Add(wait)
	look()
	if at := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Spec.Deadline; string(at) != said {
		t.Errorf("the deadline is %s, and %s was written last", at, said)
	}
}
