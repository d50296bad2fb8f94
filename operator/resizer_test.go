package operator

import (
	"context"
	"fmt"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/writing"
)

// resizeOf is a Resize of an ElasticJob; the conditions that it has came about a minute apart.
func resizeOf(ej *v1alpha1.ElasticJob, epoch int64, from, to int32, conditions ...string) *v1alpha1.Resize {
	r := &v1alpha1.Resize{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: ej.Namespace, Name: fmt.Sprintf("%s-%d", ej.Name, epoch), UID: types.UID(fmt.Sprintf("rz-%s-%d", ej.Name, epoch)),
			OwnerReferences: []metav1.OwnerReference{writing.OwnedBy(ej)},
		},
		Spec: v1alpha1.ResizeSpec{ElasticJob: ej.Name, Epoch: epoch, From: from, To: to, Mode: v1alpha1.ResizeLive, Reason: "SpareCapacity"},
	}
	for i, c := range conditions {
		at := start.Add(-time.Hour + time.Duration(i)*time.Minute)
		r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{
			Type: c, Status: metav1.ConditionTrue, Reason: "Because", LastTransitionTime: metav1.NewTime(at),
		})
	}
	return r
}

// What is not on record is not done: somebody may have deleted the record.
func TestNothingIsDoneForARecordThatIsGone(t *testing.T) {
	ej := elasticJob("resnet")
	gone := interceptor.Funcs{SubResourcePatch: func(context.Context, client.Client, string, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "resizes"}, "resnet-1")
	}}
	o := stopped(t, gone, ej, pytorchJob("resnet", 2), resizeOf(ej, 1, 2, 1))
	if _, err := newResizer(o).Reconcile(t.Context(), request("resnet-1")); err != nil {
		t.Fatal(err)
	}
	if job := get(t, o, "resnet", &kubeflow.PyTorchJob{}); *job.Spec.PyTorchReplicaSpecs["Worker"].Replicas != 2 {
		t.Error("the job was resized")
	}
}

func TestAsManyRecordsStayAsAreKept(t *testing.T) {
	ej, objects := elasticJob("resnet"), []client.Object{pytorchJob("resnet", 1)}
	for epoch := range int64(30) {
		objects = append(objects, resizeOf(ej, epoch+1, 1, 2, v1alpha1.ConditionSucceeded))
	}
	o := stopped(t, interceptor.Funcs{}, append(objects, ej)...)
	last := resizeOf(ej, 30, 1, 2, v1alpha1.ConditionSucceeded)
	s, err := o.view.Look(t.Context(), ej)
	if err != nil {
		t.Fatal(err)
	}
	s.Past[29] = resizeOf(ej, 30, 1, 2) // as it was read before it ended
	o.ended(t.Context(), s, last)
	var left v1alpha1.ResizeList
	if err := o.client.List(t.Context(), &left); err != nil {
		t.Fatal(err)
	}
	if len(left.Items) != o.settings.Resizes.Keep {
		t.Errorf("%d records are kept, want %d", len(left.Items), o.settings.Resizes.Keep)
	}
	get(t, o, "resnet-30", &v1alpha1.Resize{})
	get(t, o, "resnet-11", &v1alpha1.Resize{})
}

// PAUSE and LOST are there wherever a resize has cost something; what is not known is empty, not nothing.
func TestCostIsOnRecordWhereverThereIsOne(t *testing.T) {
	for name, test := range map[string]struct {
		cost        resize.Cost
		pause, lost v1alpha1.Duration
		said        string
	}{
		"measured":        {resize.Cost{Measured: true, Pause: 9 * time.Second}, "9s", "0s", "The training paused for 9s."},
		"of seconds":      {resize.Cost{Measured: true, Pause: 35400 * time.Millisecond, Lost: 130400 * time.Millisecond}, "35s", "2m10s", "The training paused for 35s, and does the work of 2m10s once more."},
		"of few seconds":  {resize.Cost{Measured: true, Pause: 3680 * time.Millisecond, Lost: 430 * time.Millisecond}, "3.7s", "400ms", "The training paused for 3.7s, and does the work of 400ms once more."},
		"a stop":          {resize.Cost{Lost: 10 * time.Minute}, "", "10m0s", "The training does the work of 10m once more."},
		"never went on":   {resize.Cost{Pause: time.Hour, Lost: time.Minute}, "1h0m0s", "1m0s", "The training paused for 1h, and does the work of 1m once more."},
		"nothing is lost": {},
	} {
		t.Run(name, func(t *testing.T) {
			r := &v1alpha1.Resize{}
			note(r, resize.Step{Condition: resize.Succeeded, Reason: resize.ProgressSeen, Message: "So it is.", Cost: test.cost}, start)
			if pause, lost := r.Status.Cost.Pause, r.Status.Cost.Lost; !sameSpan(pause, test.pause) || !sameSpan(lost, test.lost) {
				t.Errorf("PAUSE %q and LOST %q, want %q and %q", pause, lost, test.pause, test.lost)
			}
			if said := costs(costOf(r, r.Ending())); said != test.said {
				t.Errorf("it is said: %q, want %q", said, test.said)
			}
		})
	}
}

func sameSpan(a, b v1alpha1.Duration) bool {
	is, _ := a.Duration()
	want, _ := b.Duration()
	return is == want && (a == "") == (b == "")
}

// What a Resize was to change is told as something to come only while it is.
func TestWhatAResizeHasChangedIsOver(t *testing.T) {
	for name, test := range map[string]struct {
		from, to int32
		end      string
		want     string
	}{
		"grown":       {2, 4, v1alpha1.ConditionSucceeded, "the job has 4 workers now, and had 2."},
		"started":     {0, 1, v1alpha1.ConditionSucceeded, "the job has started with 1 worker."},
		"stopped":     {2, 0, v1alpha1.ConditionSucceeded, "the job has stopped."},
		"rolled back": {2, 4, v1alpha1.ConditionRolledBack, "the job was to have 4 workers instead of 2."},
		"not started": {0, 4, v1alpha1.ConditionFailed, "the job was to start with 4 workers."},
		"not stopped": {4, 0, v1alpha1.ConditionFailed, "the job was to stop."},
	} {
		t.Run(name, func(t *testing.T) {
			r := resizeOf(elasticJob("resnet"), 1, test.from, test.to, test.end)
			if got := changed(r, r.Ending()); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
