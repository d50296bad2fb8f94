package keeping_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/shorthand"
)

// A Job was suspended until it is admitted, and no ElasticJob can be made for it: it runs.
func TestAHeldJobForWhichNoElasticJobCanBeMadeRuns(t *testing.T) {
	of, _ := known.ByKind("Job")
	refused := interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
			options ...client.PatchOption) error {
			if _, is := object.(*v1alpha1.ElasticJob); is {
				return apierrors.NewInvalid(schema.GroupKind{Group: "takt.dev", Kind: "ElasticJob"}, object.GetName(), nil)
			}
			return c.Patch(ctx, object, patch, options...)
		},
	}
	for name, test := range map[string]struct {
		calls  interceptor.Funcs
		others []client.Object
	}{
		"its name is refused": {refused, nil},
		"a PyTorchJob has its name": {interceptor.Funcs{},
			[]client.Object{fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.KubernetesJob(batchv1.IndexedCompletion)
			job.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-time.Hour))
			job.Annotations[kind.HeldAnnotation] = "until-admitted"
			job.Spec.Suspend = new(true)
			o := fixture.Stopped(t, test.calls, append(test.others, job, fixture.Node("node", "8"))...)
			for range 3 {
				if _, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")); err != nil &&
					!apierrors.IsConflict(err) {
					t.Fatal(err)
				}
			}
			if is := fixture.Get(t, o, "resnet", &batchv1.Job{}); *is.Spec.Suspend {
				t.Errorf("it is still suspended: %v", is.Annotations)
			}
		})
	}
}

// A policy or a quota may forbid the ElasticJob of a job. Whoever wrote the job is told, and it is tried again.
func TestElasticJobThatMayNotBeMadeIsTold(t *testing.T) {
	full := true
	o := fixture.Stopped(t, interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
			options ...client.PatchOption) error {
			if _, is := object.(*v1alpha1.ElasticJob); is && full {
				return apierrors.NewForbidden(schema.GroupResource{Group: "takt.dev", Resource: "elasticjobs"}, object.GetName(),
					errors.New("exceeded quota: objects"))
			}
			return c.Patch(ctx, object, patch, options...)
		},
	}, fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	told := fixture.Listens(o)
	of, _ := known.ByKind("PyTorchJob")
	if _, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")); !apierrors.IsForbidden(err) {
		t.Errorf("it is not tried again: %v", err)
	}
	select {
	case says := <-told:
		if !strings.HasPrefix(says, "Warning ElasticJobRefused ") || !strings.Contains(says, "exceeded quota: objects") {
			t.Errorf("it is told: %s", says)
		}
	default:
		t.Error("nobody is told")
	}
	full = false
	if fixture.Keeps(t, o) == nil {
		t.Error("it may be made now, and is not")
	}
}

// A policy may forbid that a job which Takt has stopped runs again. Nothing else is left by then that could say so.
func TestJobThatMayNotBeResumedIsTold(t *testing.T) {
	letGo := false
	o := fixture.Stopped(t, interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
			options ...client.PatchOption) error {
			if _, is := object.(*v1alpha1.ElasticJob); !is && letGo {
				return apierrors.NewForbidden(schema.GroupResource{Resource: "pytorchjobs"}, "resnet", errors.New("by policy"))
			}
			return c.Patch(ctx, object, patch, options...)
		},
	}, fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	told := fixture.Listens(o)
	ej := fixture.Keeps(t, o)
	fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start},
		kind.Target{})
	if err := o.Client.Delete(t.Context(), ej); err != nil {
		t.Fatal(err)
	}
	letGo = true
	of, _ := known.ByKind("PyTorchJob")
	for range 2 {
		_, _ = o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")) // what is refused is an error
	}
	select {
	case says := <-told:
		if !strings.HasPrefix(says, "Warning NotResumed ") || !strings.Contains(says, "by policy") {
			t.Errorf("it is told: %s", says)
		}
	default:
		t.Error("nobody is told")
	}
}
