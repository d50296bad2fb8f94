package adapter

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

func TestAskComesBackAsWritten(t *testing.T) {
	for name, ask := range map[string]resize.Ask{
		"all of it":          {Epoch: 12, Stage: resize.Back, Workers: 4, Suspended: true, At: asked},
		"no suspension":      {Epoch: 1, Stage: resize.Forward, Workers: 1, At: asked},
		"another time zone":  {Epoch: 1, Stage: resize.Halt, Workers: 1, At: asked.In(time.FixedZone("", 5400))},
		"the time unknown":   {Epoch: 1, Stage: resize.Restart, Workers: 1},
		"nobody to be asked": {Epoch: 1, Stage: resize.Forward},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := EncodeAsk("u-1", ask, 3)
			if err != nil {
				t.Fatal(err)
			}
			same(t, ask, DecodeAsk("u-1", text))
		})
	}
}

// The text is read by other releases of Takt.
func TestAskIsWrittenTheSameForEver(t *testing.T) {
	const want = `{"job":"u-1","epoch":12,"stage":"Back","workers":4,"suspended":true,"at":"2026-11-21T10:00:00.123456789Z","written":3}`
	got, err := EncodeAsk("u-1", resize.Ask{Epoch: 12, Stage: resize.Back, Workers: 4, Suspended: true, At: asked}, 3)
	if err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func TestAskThatIsNotOursIsNone(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":           ``,
		"no JSON":           `epoch 3`,
		"cut off":           `{"job":"u-1","epoch":3,"stage":"Forward","workers":2`,
		"another shape":     `[3]`,
		"null":              `null`,
		"a text for number": `{"job":"u-1","epoch":"3","stage":"Forward","workers":2}`,
		"too great":         `{"job":"u-1","epoch":99999999999999999999,"stage":"Forward","workers":2}`,
		"no epoch":          `{"job":"u-1","stage":"Forward","workers":2}`,
		"negative workers":  `{"job":"u-1","epoch":3,"stage":"Forward","workers":-2}`,
		"unknown stage":     `{"job":"u-1","epoch":3,"stage":"Sideways","workers":2}`,
		"no time":           `{"job":"u-1","epoch":3,"stage":"Forward","workers":2,"at":"noon"}`,
		"copied manifest":   `{"job":"u-2","epoch":3,"stage":"Forward","workers":2}`,
	} {
		t.Run(name, func(t *testing.T) {
			same(t, resize.Ask{}, DecodeAsk("u-1", text))
			p := pytorch()
			p.Annotations[AskAnnotation] = text
			same(t, resize.Ask{}, pytorchJob{}.Read(p).Asked)
		})
	}
}

func TestAskOutOfTimeIsRefused(t *testing.T) {
	if text, err := EncodeAsk("u-1", resize.Ask{At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, 3); err == nil {
		t.Errorf("It was written as %s.", text)
	}
}

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
		{"scaled by hand", func() { p.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas = new(int32(5)) }, 5},
		{"and shrunk by Takt again", func() { p = resized(t, p, forward(2), target) }, 5},
		{"asked by an earlier Takt", func() {
			p.Annotations[AskAnnotation] = `{"job":"u-1","epoch":9,"stage":"Forward","workers":2}`
		}, 2},
	} {
		if step.change(); (pytorchJob{}).Read(p).Written != step.want {
			t.Fatalf("%s: it was written for %d, want %d", step.name, pytorchJob{}.Read(p).Written, step.want)
		}
	}
}
