package view_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/predictor"
)

// While a worker waits at the barrier, what the others do is no measure of all of them.
func TestNothingIsMeasuredWhileAWorkerWaitsAtTheBarrier(t *testing.T) {
	for _, waits := range []bool{false, true} {
		w := fixture.Watch(t, func(seconds float64) (progress.Sample, error) {
			return progress.Sample{Done: seconds, Total: 1e5, Unit: "steps"}, nil
		})
		if waits {
			pod := fixture.Get(t, w.Rooms, "resnet-worker-3", &corev1.Pod{})
			pod.Annotations = map[string]string{contract.AgentAnnotation: wrapping.Injected}
			if err := w.Rooms.Client.Update(t.Context(), pod); err != nil {
				t.Fatal(err)
			}
		}
		for range 20 {
			w.At = w.At.Add(10 * time.Second)
			w.Read()
		}
		s, job := w.Look(), elastic.Job{Workers: 4}
		s.Known.Run.Fill(&job, []predictor.Shape{{Workers: 4, Nodes: 1}}, learn.FillOptions{Now: w.At})
		if s.AtBarrier() != waits || (job.Sizes[0].Expected == 0) != waits {
			t.Errorf("one waits: %t; one is seen to wait: %t, and four are taken to do %v", waits, s.AtBarrier(), job.Sizes[0])
		}
	}
}
