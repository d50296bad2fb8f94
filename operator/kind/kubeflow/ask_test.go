package kubeflow

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

func TestJobKnowsTheSizeThatItWasWrittenFor(t *testing.T) {
	p := pytorch() // with two workers
	for _, step := range []struct {
		name   string
		change func()
		want   resize.Workers
	}{
		{"as it is created", func() {}, 2},
		{"shrunk by Takt", func() { p = resized(t, p, forward(1), target) }, 2},
		{"stopped by Takt", func() {
			p = resized(t, p, resize.Ask{Epoch: 8, Stage: resize.Halt, Workers: 1, Suspended: true}, target)
		}, 2},
		{"grown by Takt", func() { p = resized(t, p, forward(6), target) }, 2},
		{"scaled by hand",
			func() { p.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas = new(int32(5)) }, 5},
		{"and shrunk by Takt again", func() { p = resized(t, p, forward(2), target) }, 5},
		{"asked by an earlier Takt", func() {
			p.Annotations[kind.AskAnnotation] = `{"job":"u-1","epoch":9,"stage":"Forward","workers":2}`
		}, 2},
	} {
		if step.change(); (pytorchJob{}).Read(p).Written != step.want {
			t.Fatalf("%s: it was written for %d, want %d", step.name, pytorchJob{}.Read(p).Written, step.want)
		}
	}
}
