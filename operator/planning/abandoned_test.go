package planning_test

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
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
)

// A policy may forbid that a job runs which was stopped for Takt, and which Takt leaves alone.
func TestAJobThatIsLeftAloneAndMayNotRunIsTold(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
			options ...client.PatchOption) error {
			if _, is := object.(*v1alpha1.ElasticJob); !is {
				return apierrors.NewForbidden(schema.GroupResource{Resource: "pytorchjobs"}, "resnet", errors.New("by policy"))
			}
			return c.Patch(ctx, object, patch, options...)
		},
	}, fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Queue = "none" }),
		fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst, func(job *kubeflow.PyTorchJob) {
			job.Annotations = map[string]string{kind.HeldAnnotation: "until-admitted"}
		}))
	now := fixture.Start
	o.Now = func() time.Time { return now }
	told := fixture.Listens(o)
	for range 3 {
		fixture.Plans(t, o)
		now = now.Add(2 * time.Minute)
	}
	select {
	case says := <-told:
		if !strings.HasPrefix(says, "Warning NotResumed ") || !strings.Contains(says, "QueueNotFound") ||
			!strings.Contains(says, "by policy") || !strings.Contains(says, "spec.runPolicy.suspend") {
			t.Errorf("it is told: %s", says)
		}
	default:
		t.Error("nobody is told")
	}
}
