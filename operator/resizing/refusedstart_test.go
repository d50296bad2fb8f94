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
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/rooms"
)

// guarded is an API server with a policy that refuses jobs which start so.
func guarded(refuses func(job *kubeflow.PyTorchJob) bool) interceptor.Funcs {
	return interceptor.Funcs{Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch,
		options ...client.PatchOption) error {
		before := &kubeflow.PyTorchJob{}
		_, is := o.(*kubeflow.PyTorchJob)
		is = is && c.Get(ctx, client.ObjectKeyFromObject(o), before) == nil
		if err := c.Patch(ctx, o, p, options...); err != nil || !is {
			return err
		}
		after := &kubeflow.PyTorchJob{}
		if err := c.Get(ctx, client.ObjectKeyFromObject(o), after); err != nil || *after.Spec.RunPolicy.Suspend ||
			!refuses(after) {
			return err
		}
		before.ResourceVersion = after.ResourceVersion // it is put back, as if it had never been so
		if err := c.Update(ctx, before); err != nil {
			return err
		}
		return apierrors.NewForbidden(schema.GroupResource{Resource: "pytorchjobs"}, o.GetName(), errors.New("by policy"))
	}}
}

func hasAgent(job *kubeflow.PyTorchJob) bool {
	return len(job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.InitContainers) > 0
}

// goesOn reconciles the Resize for some minutes, and gives the job as it then is: no pod of it is made yet.
func goesOn(t *testing.T, o *rooms.Rooms, now *time.Time, minutes int) *kubeflow.PyTorchJob {
	t.Helper()
	for range 6 * minutes {
		*now = now.Add(10 * time.Second)
		_, _ = o.Resizer.Reconcile(t.Context(), fixture.Request("resnet-1")) // what is refused is an error
	}
	return fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
}

// A policy may refuse the larger size of a job that Takt has stopped for it, or the agent. The job goes on as it was.
func TestJobThatMayNotStartAsItIsToGoesOnAsItWas(t *testing.T) {
	for name, test := range map[string]struct {
		refuses func(job *kubeflow.PyTorchJob) bool
		from    int32
		workers int32
	}{
		"no more than four workers": {func(j *kubeflow.PyTorchJob) bool {
			return *j.Spec.PyTorchReplicaSpecs["Worker"].Replicas > 4
		}, 2, 2},
		"no agent":             {hasAgent, 2, 8},
		"no agent, at a start": {hasAgent, 0, 8},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet")
			begun := fixture.ResizeOf(ej, 1, test.from, 8, v1alpha1.ConditionProposed)
			begun.Spec.Mode = v1alpha1.ResizeCold
			job := fixture.PyTorchJob("resnet", 2, fixture.ResizedByRestart, func(j *kubeflow.PyTorchJob) {
				j.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[0].Command = []string{"python", "train.py"}
			})
			job.Spec.RunPolicy.Suspend = new(test.from == 0)
			objects := []client.Object{ej, job, begun}
			o := fixture.Stopped(t, guarded(test.refuses), objects...)
			o.Settings.Agent.Image, o.Settings.Agent.ByDefault = "takt-agent:1", true
			now := fixture.Start
			o.Now = func() time.Time { return now }
			o.Furnish()
			if test.from > 0 {
				begun.Status.Conditions = fixture.ResizeOf(ej, 1, 2, 8, v1alpha1.ConditionProposed,
					v1alpha1.ConditionCommitted).Status.Conditions
				if err := o.Client.Status().Update(t.Context(), begun); err != nil {
					t.Fatal(err)
				}
				fixture.ResizedTo(t, o, resize.Ask{Epoch: 1, Stage: resize.Forward, Workers: 2, Suspended: true, At: now},
					kind.Target{})
			}
			is := goesOn(t, o, &now, 3)
			stopped, workers := *is.Spec.RunPolicy.Suspend, *is.Spec.PyTorchReplicaSpecs["Worker"].Replicas
			if stopped || workers != test.workers {
				t.Errorf("it has %d workers, want %d; suspended: %t", workers, test.workers, stopped)
			}
			r := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{})
			for _, c := range r.Status.Conditions {
				t.Logf("%s %s: %s", c.Type, c.Reason, c.Message)
			}
			if test.workers == 2 {
				if !strings.Contains(r.Status.Conditions[len(r.Status.Conditions)-1].Message, "by policy") {
					t.Error("nobody is told")
				}
			} else if hasAgent(is) {
				t.Error("it has the agent")
			}
		})
	}
}
