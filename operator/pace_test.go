package operator

import (
	"context"
	"fmt"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/shorthand"
)

// After a rest some may be done in a row, and then one at a time; one object's haste is not another's.
func TestAPaceAllowsSomeInARow(t *testing.T) {
	p := pace{3, time.Second}
	var a allowances
	hasty, calm := types.NamespacedName{Name: "hasty"}, types.NamespacedName{Name: "calm"}
	done := 0
	for ms := range 10_000 {
		if a.spend(hasty, p, start.Add(time.Duration(ms)*time.Millisecond)) == 0 {
			done++
		}
	}
	if want := 3 + 9; done != want {
		t.Errorf("%d were allowed in ten seconds, want %d", done, want)
	}
	now := start.Add(10 * time.Second)
	if wait := a.spend(hasty, p, now); wait != 0 {
		t.Errorf("it waits for %s though one is due", wait)
	}
	if wait := a.spend(hasty, p, now.Add(100*time.Millisecond)); wait != 900*time.Millisecond {
		t.Errorf("it waits for %s, want what is left of the second", wait)
	}
	if wait := a.spend(calm, p, now); wait != 0 {
		t.Errorf("another waits for %s", wait)
	}
	for i := range 1000 {
		a.spend(types.NamespacedName{Name: fmt.Sprint(i)}, p, now.Add(time.Duration(i)*time.Minute))
	}
	if n := len(a.spent); n > 2*leastSwept {
		t.Errorf("%d objects are remembered that have rested", n)
	}
}

// What is called for too often is done once when its time has come, and none is lost.
func TestCallsThatComeTooOftenAreMadeOnceLater(t *testing.T) {
	now, kicks := start, 0
	var later []func()
	c := newCalls()
	c.after = func(_ time.Duration, do func()) { later = append(later, do) }
	call := func() {
		c.call(types.NamespacedName{Name: "job"}, pace{2, time.Second}, func() time.Time { return now }, func() { kicks++ })
	}
	for range 100 {
		call()
	}
	if kicks != 2 || len(later) != 1 {
		t.Fatalf("%d were made at once, and %d are to come; want 2 and 1", kicks, len(later))
	}
	now = now.Add(time.Second)
	do := later
	later = nil
	do[0]()
	if kicks != 3 || len(later) != 0 || len(c.owed) != 0 {
		t.Errorf("%d were made, and %d are to come; want 3 and none", kicks, len(later))
	}
}

// Words that change all the time are written down every so often, and the last of them in the end.
func TestWordsThatChangeAllTheTimeTakeFewWrites(t *testing.T) {
	writes := 0
	o := stopped(t, interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch, options ...client.PatchOption) error {
			writes++
			return c.Patch(ctx, object, patch, options...)
		},
	}, annotatedJob(map[string]string{shorthand.DeadlineAnnotation: "2027-01-01T00:00:00Z"}))
	now := start
	o.now = func() time.Time { return now }
	kind, _ := adapter.ByKind("PyTorchJob")
	keeper, wait := &keeper{o, kind}, time.Duration(0)
	look := func() {
		t.Helper()
		result, err := patiently(keeper).Reconcile(t.Context(), request("resnet"))
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
		job := get(t, o, "resnet", &kubeflow.PyTorchJob{})
		before := job.DeepCopy()
		job.Annotations[shorthand.DeadlineAnnotation] = said
		if err := o.client.Patch(t.Context(), job, client.MergeFrom(before)); err != nil {
			t.Fatal(err)
		}
		writes-- // that was his
		look()
		if i == 60 {
			ten = writes
		}
	}
	if most := 2 * (wordsPace.most + 1); ten > most {
		t.Errorf("%d writes in the first six seconds, want %d at most", ten, most)
	}
	if more := writes - ten; more > 2*3 {
		t.Errorf("%d writes in the other 24 seconds, want two each ten seconds", more)
	}
	if wait <= 0 || wait > wordsPace.every {
		t.Fatalf("the last words wait for %s", wait)
	}
	now = now.Add(wait)
	look()
	if at := get(t, o, "resnet", &v1alpha1.ElasticJob{}).Spec.Deadline; string(at) != said {
		t.Errorf("the deadline is %s, and %s was written last", at, said)
	}
}
