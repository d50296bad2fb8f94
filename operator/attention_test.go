package operator

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/telling"
)

// An event that tells nothing of the progress is no reason to read it.
func TestOnlyWhatEventsTellMakesALookDue(t *testing.T) {
	job, ej := fixture.PyTorchJob("resnet", 1), fixture.ElasticJob("resnet")
	o, from := readBy(t, half, ej, job, fixture.Node("node", "8"), fixture.Worker0(job, "node"))
	now := fixture.Start
	o.Now = func() time.Time { return now }
	reads := func(what string, want int) {
		t.Helper()
		before := from.Asked
		result, err := o.Reconcile(t.Context(), fixture.Request("resnet"))
		if err != nil || result.RequeueAfter <= 0 {
			t.Errorf("%s: %+v, %v: nobody looks again", what, result, err)
		}
		if got := from.Asked - before; got != want {
			t.Errorf("%s: it is read %d times, want %d", what, got, want)
		}
	}
	reads("at first", 1)
	now = now.Add(time.Second)
	reads("an event a moment later", 0)
	fresh := fixture.Get(t, o.Rooms, "resnet", &kubeflow.PyTorchJob{})
	metav1.SetMetaDataAnnotation(&fresh.ObjectMeta, progress.ProgressAnnotation, "5/10 steps")
	if err := o.Client.Update(t.Context(), fresh); err != nil {
		t.Fatal(err)
	}
	reads("an annotation", 1)
	now = now.Add(time.Second)
	if err := o.Client.Create(t.Context(), fixture.ResizeOf(ej, 1, 1, 2)); err != nil {
		t.Fatal(err)
	}
	reads("a resize", 1)
	reads("the same once more", 0)
	now = now.Add(o.Settings.Progress.Every.Duration)
	reads("later", 1)
}

func TestWhatWakesTheReader(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*v1alpha1.ElasticJob)
		want   bool
	}{
		"what it has made known itself": {
			func(ej *v1alpha1.ElasticJob) { ej.Status.Progress.PartsPerMillion, ej.Status.Message = 7, "news" }, false,
		},
		"nothing":      {func(*v1alpha1.ElasticJob) {}, false},
		"another spec": {func(ej *v1alpha1.ElasticJob) { ej.Generation++ }, true},
		"its resize": {func(ej *v1alpha1.ElasticJob) {
			meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionResizing, Status: metav1.ConditionTrue, Reason: "Started",
			})
		}, true},
		"that it is looked after again": {func(ej *v1alpha1.ElasticJob) {
			meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: "Planned",
			})
		}, true},
	} {
		before, after := fixture.ElasticJob("resnet"), fixture.ElasticJob("resnet", test.change)
		if got := changes.WakesReader(before, after); got != test.want {
			t.Errorf("%s wakes it: %t", name, got)
		}
	}
	if !changes.WakesReader(nil, fixture.ElasticJob("resnet")) {
		t.Error("a new one does not wake it")
	}
}

// An event is forgotten after a while, and what it tells of may still be so.
func TestAFaultThatStaysIsToldAgain(t *testing.T) {
	of, _ := known.ByKind(kubeflow.PyTorchJobKind)
	for value, again := range map[string]time.Duration{"4": telling.EventLives, "": 0} {
		job := fixture.PyTorchJob("resnet", 1, func(j *kubeflow.PyTorchJob) {
			if value != "" {
				j.Annotations = map[string]string{"takt.dev/worker": value}
			}
		})
		o := fixture.Stopped(t, interceptor.Funcs{}, job)
		result, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request(client.ObjectKeyFromObject(job).Name))
		if err != nil || result.RequeueAfter != again {
			t.Errorf("%q: it is looked at again after %s, want %s: %v", value, result.RequeueAfter, again, err)
		}
	}
}
