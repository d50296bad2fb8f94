package resizing_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
)

// A job that a policy of the cluster guards cannot be changed: its Resize must not go on for ever, and says why it has
// ended, so that the next does not begin at once.
func TestResizeThatIsRefusedForGoodComesToAnEnd(t *testing.T) {
	jobs := schema.GroupResource{Resource: "pytorchjobs"}
	forbidden := apierrors.NewForbidden(jobs, "resnet", errors.New("nobody changes it"))
	changed := apierrors.NewConflict(jobs, "resnet", errors.New("look again"))
	unreached := apierrors.NewInternalError(errors.New("a webhook does not answer, so that nobody changes it"))
	for name, test := range map[string]struct {
		err    error
		before time.Duration // it was refused at first, after the last line of its record
		after  time.Duration // that it was refused again
		ends   bool
	}{
		"forbidden for long":       {forbidden, time.Second, 10 * time.Minute, true},
		"forbidden just now":       {forbidden, time.Second, time.Second, false},
		"forbidden late, and once": {forbidden, 10 * time.Minute, 0, false},
		"not reached for a while":  {unreached, time.Second, 9 * time.Minute, false},
		"not reached for long":     {unreached, time.Second, 11 * time.Minute, true},
		"changed each time":        {changed, time.Second, time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet")
			guard := interceptor.Funcs{Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch,
				options ...client.PatchOption) error {
				if _, job := o.(*kubeflow.PyTorchJob); job {
					return test.err
				}
				return c.Patch(ctx, o, p, options...)
			}}
			begun := fixture.ResizeOf(ej, 1, 2, 1, v1alpha1.ConditionProposed, v1alpha1.ConditionCommitted)
			at := begun.Status.Conditions[1].LastTransitionTime.Time
			o := fixture.Stopped(t, guard, ej, fixture.PyTorchJob("resnet", 2), begun)
			now := at.Add(test.before)
			o.Now = func() time.Time { return now }
			if _, err := o.Resizer.Reconcile(t.Context(), fixture.Request("resnet-1")); err == nil {
				t.Error("it does not try again")
			}
			now = now.Add(test.after)
			_, err := o.Resizer.Reconcile(t.Context(), fixture.Request("resnet-1"))
			end := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}).Ending()
			switch {
			case !test.ends && (end != nil || err == nil):
				t.Errorf("it does not try again: it ended with %v, and the error is %v", end, err)
			case test.ends && (end == nil || end.Type != v1alpha1.ConditionFailed || end.Reason != string(resize.Refused) ||
				!strings.Contains(end.Message, "nobody changes it")):
				t.Errorf("it ended with %v", end)
			}
		})
	}
}
