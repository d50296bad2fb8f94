package resizing_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// A growth is over before its workers have loaded. What it has cost is told once they take part.
func TestAGrowthTellsWhatItHasCostOnceItsWorkersTakePart(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 2)
	r := fixture.ResizeOf(ej, 1, 1, 2, v1alpha1.ConditionSucceeded)
	r.Status.Conditions[0].Reason = string(resize.ProgressSeen)
	r.Status.Conditions[0].LastTransitionTime = metav1.NewTime(fixture.Start.Add(62 * time.Second))
	r.Status.Cost = v1alpha1.ResizeCost{Pause: "1s", Lost: "0s"}
	first := fixture.Worker0(job, "node")
	first.Status.StartTime = new(metav1.NewTime(fixture.Start))
	second := first.DeepCopy()
	second.Name, second.UID, second.Labels[kubeflow.ReplicaIndexLabel] = "resnet-worker-1", "pod-1", "1"
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, r, first)
	now := fixture.Start
	o.View.Now = func() time.Time { return now }
	o.Resizer.Now = o.View.Now
	look := func() *learn.Run {
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		return s.Known.Run
	}
	step := 0.0
	train := func(workers predictor.Workers, from, until, speed int) {
		for at := from; at < until; at++ {
			step += float64(speed)
			now = fixture.Start.Add(time.Duration(at) * time.Second)
			look().Sample(progress.Sample{Source: v1alpha1.ProgressLogs, Unit: "steps", Done: step, Total: 1000, At: now},
				predictor.Shape{Workers: workers, Nodes: 1})
		}
	}
	look()
	train(1, 10, 61, 1)
	if err := o.Client.Create(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	look()
	train(2, 61, 63, 1)
	look().Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: time.Second})

	result, err := o.Resizer.Reconcile(t.Context(), fixture.Request("resnet-1"))
	if err != nil || result.RequeueAfter == 0 {
		t.Fatalf("it does not wait for the workers: %+v, %v", result, err)
	}
	if got := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}).Status.Cost.Pause; got != "1s" {
		t.Errorf("before they take part, it tells a pause of %s", got)
	}
	train(2, 63, 70, 1)
	train(2, 78, 82, 2)
	for range 2 {
		result, err = o.Resizer.Reconcile(t.Context(), fixture.Request("resnet-1"))
		if err != nil || result.RequeueAfter != 0 {
			t.Fatalf("it waits for something: %+v, %v", result, err)
		}
		if got := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}).Status.Cost.Pause; got != "9s" {
			t.Errorf("it tells a pause of %s, and it was 9 s", got)
		}
	}
}
