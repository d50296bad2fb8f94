package reading_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/progress"
)

// listening is a source whose pods may have been silent together with others, and answer again.
type listening struct {
	*fixture.Spoken
	answers bool
	again   time.Duration
}

func (l *listening) Answers(*corev1.Pod) bool { return l.answers }
func (l *listening) IsRead([]*corev1.Pod)     { l.answers = false }

// Read takes down after how long the job is looked at again.
func (l *listening) Read(ctx context.Context, t progress.Target) (progress.Sample, error) {
	l.again = t.Again
	return l.Spoken.Read(ctx, t)
}

// What has been silent together with others is read once it answers, however long it was to rest.
func TestAJobIsReadAtOnceWhoseNodeAnswersAgain(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1)
	o, from := readBy(t, half, fixture.ElasticJob("resnet"), job, fixture.Node("node", "8"), fixture.Worker0(job, "node"))
	source := &listening{Spoken: from}
	o.Sources = fixture.SourcesOf(o.Settings.Progress.Every.Duration, source)
	o.Furnish()
	look := func(want int) {
		t.Helper()
		if _, err := o.Reconcile(t.Context(), fixture.Request("resnet")); err != nil || from.Asked != want {
			t.Errorf("it was read %d times, want %d: %v", from.Asked, want, err)
		}
	}
	look(1)
	look(1)
	source.answers = true
	look(2)
	look(2)
}

// Whoever is waited for is asked for by itself.
func TestNobodyElseAsksForAJobThatIsWaitedFor(t *testing.T) {
	job, ej := fixture.PyTorchJob("resnet", 1), fixture.ElasticJob("resnet")
	resized := fixture.ResizeOf(ej, 1, 1, 2)
	for name, test := range map[string]struct {
		resized, heard, asksItself bool
	}{
		"one of which the first plan waits to hear": {false, false, true},
		"one that was heard":                        {false, true, false},
		"one that is resized":                       {true, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			o, from := readBy(t, half, ej.DeepCopy(), job.DeepCopy(), fixture.Node("node", "8"), fixture.Worker0(job, "node"))
			if test.resized {
				if err := o.Client.Create(t.Context(), resized.DeepCopy()); err != nil {
					t.Fatal(err)
				}
			}
			source := &listening{Spoken: from}
			o.Sources = fixture.SourcesOf(o.Settings.Progress.Every.Duration, source)
			o.Furnish()
			o.Memory.Of("job-resnet", fixture.Start, fixture.Unseen).Looked(fixture.Start, time.Hour, test.heard)
			if _, err := o.Reconcile(t.Context(), fixture.Request("resnet")); err != nil || from.Asked != 1 {
				t.Fatalf("it was read %d times: %v", from.Asked, err)
			}
			if itself := source.again == 0; itself != test.asksItself {
				t.Errorf("others may ask for it for %s", source.again)
			}
		})
	}
}
