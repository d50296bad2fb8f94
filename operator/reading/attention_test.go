package reading_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/progress"
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
