package resizing_test

import (
	"context"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// What is not on record is not done: somebody may have deleted the record.
func TestNothingIsDoneForARecordThatIsGone(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	gone := interceptor.Funcs{SubResourcePatch: func(context.Context, client.Client, string, client.Object, client.Patch,
		...client.SubResourcePatchOption) error {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "resizes"}, "resnet-1")
	}}
	o := fixture.Stopped(t, gone, ej, fixture.PyTorchJob("resnet", 2), fixture.ResizeOf(ej, 1, 2, 1))
	if _, err := o.Resizer.Reconcile(t.Context(), fixture.Request("resnet-1")); err != nil {
		t.Fatal(err)
	}
	if job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}); *job.Spec.PyTorchReplicaSpecs["Worker"].Replicas != 2 {
		t.Error("the job was resized")
	}
}

func TestAsManyRecordsStayAsAreKept(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1)
	job.Spec.PyTorchReplicaSpecs["Worker"].Template.Labels = map[string]string{v1alpha1.EpochLabel: "3"}
	ej, objects := fixture.ElasticJob("resnet"), []client.Object{job}
	for epoch := range int64(30) {
		objects = append(objects, fixture.ResizeOf(ej, epoch+1, 1, 2, v1alpha1.ConditionSucceeded))
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, ej)...)
	last := fixture.ResizeOf(ej, 30, 1, 2, v1alpha1.ConditionSucceeded)
	s, err := o.View.Look(t.Context(), ej)
	if err != nil {
		t.Fatal(err)
	}
	s.Past[29] = fixture.ResizeOf(ej, 30, 1, 2) // as it was read before it ended
	o.Resizer.Ended(t.Context(), s, last)
	var left v1alpha1.ResizeList
	if err := o.Client.List(t.Context(), &left); err != nil {
		t.Fatal(err)
	}
	if len(left.Items) != o.Settings.Resizes.Keep {
		t.Errorf("%d records are kept, want %d", len(left.Items), o.Settings.Resizes.Keep)
	}
	fixture.Get(t, o, "resnet-30", &v1alpha1.Resize{})
	fixture.Get(t, o, "resnet-12", &v1alpha1.Resize{})
	fixture.Get(t, o, "resnet-3", &v1alpha1.Resize{}) // of which pods are made
}

// Whoever looks at a job that was restarted or stopped finds there who did it, and why.
func TestAJobIsToldByWhomItWasRestarted(t *testing.T) {
	for name, c := range map[string]struct {
		mode     v1alpha1.ResizeMode
		from, to int32
		want     string
	}{
		"restarted": {v1alpha1.ResizeCold, 2, 4, "Normal ResizeSucceeded Resize resnet-3 of Takt: the job has 4 workers " +
			"now, and had 2. Its deadline takes them."},
		"stopped": {v1alpha1.ResizeLive, 2, 0, "Normal ResizeSucceeded Resize resnet-3 of Takt: the job has stopped. " +
			"Its deadline takes them."},
		"resized while it trained": {v1alpha1.ResizeLive, 2, 4, ""},
		"started":                  {v1alpha1.ResizeCold, 0, 4, ""},
	} {
		ej := fixture.ElasticJob("resnet")
		o := fixture.Stopped(t, interceptor.Funcs{}, fixture.PyTorchJob("resnet", 2), ej)
		events := fixture.Listens(o)
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		r := fixture.ResizeOf(ej, 3, c.from, c.to, v1alpha1.ConditionSucceeded)
		r.Spec.Mode, r.Spec.Message = c.mode, "Its deadline takes them."
		o.Resizer.Ended(t.Context(), s, r)
		<-events // of the ElasticJob
		got := ""
		if len(events) > 0 {
			got = <-events
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
