package progress

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// A log that never tells anything is not read each time that a job is looked at; one that begins to is noticed within a
// part of the time that it was silent for.
func TestASourceThatTellsNothingIsAskedMoreRarely(t *testing.T) {
	for silent, most := range map[int]int{6: 6, 30: 20, 360: 45, 6 * 360: 60} { // looks, and how many of them may ask
		for _, annotated := range []bool{false, true} {
			t.Run(fmt.Sprintf("silent for %d looks, with an annotation: %t", silent, annotated), func(t *testing.T) {
				reader, sources, order := stage()
				if annotated { // which is there as it was written at first
					sources[annotation].answer, sources[annotation].err = Sample{Done: 5, Total: 90000, Unit: "steps"}, nil
				}
				asked, noticed := 0, 0
				for i := 0; noticed == 0 && i < 2*silent+2; i++ {
					if i >= silent {
						sources[logs].answer, sources[logs].err = Sample{Done: float64(i), Total: 90000, Unit: "steps"}, nil
					}
					*order = nil
					got, _ := reader.Read(t.Context(), resnet(), sixOClock.Add(time.Duration(i)*ten))
					if i < silent && slices.Contains(*order, logs) {
						asked++
					}
					if got.Source == logs {
						noticed = i - silent + 1
					}
				}
				if asked > most {
					t.Errorf("it is asked %d times, more than %d", asked, most)
				}
				if noticed == 0 || noticed > silent/5+1 {
					t.Errorf("that it tells something is noticed after %d looks", noticed)
				}
			})
		}
	}
}

// A job that has neither an agent nor metrics is heard no more often for that: what it does not have is no answer of a
// worker, for which others would be asked.
func TestWorkersThatTellNothingAreAskedMoreRarely(t *testing.T) {
	for _, count := range []int{1, 2, 8} {
		var asked []v1alpha1.ProgressSource
		output := &scripted{name: logs, err: fail(ErrNone, "nothing"), asked: &asked}
		reader := readerOf(NewAgent(wide), Annotation{}, NewPrometheus(wide), output, NewCustomMetrics(nil, wide))
		var pods []*corev1.Pod
		for i := range count {
			pods = append(pods, worker(fmt.Sprint("resnet-worker-", i)))
			pods[i].UID = types.UID(pods[i].Name)
		}
		const tenMinutes = 60 // looks
		for i := range 6 * tenMinutes {
			if i == tenMinutes {
				asked = nil
			}
			_, _ = reader.Read(t.Context(), resnet(pods...), sixOClock.Add(time.Duration(i)*ten))
		}
		if most := 20 + 5*others; len(asked) > most {
			t.Errorf("%d workers are asked %d times in 50 minutes, more than %d", count, len(asked), most)
		}
	}
}

// What was the matter with a source that a job does not have any more is not told again.
func TestASourceThatIsGoneIsForgotten(t *testing.T) {
	reader, sources, _ := stage()
	sources[prom].err = ErrTimeout
	now := sixOClock
	read := func(looks int) (err error) {
		for range looks {
			now = now.Add(ten)
			_, err = reader.Read(t.Context(), resnet(), now)
		}
		return err
	}
	if err := read(1); !errors.Is(err, ErrTimeout) {
		t.Fatalf("it fails with %v, want %v", err, ErrTimeout)
	}
	sources[prom].err = fail(errNotOffered, "no annotation")
	sources[logs].answer, sources[logs].err = Sample{Done: 1, Total: 9, Unit: "steps"}, nil
	if err := read(20); err != nil {
		t.Fatal(err)
	}
	sources[logs].err = ErrUnreachable
	for range 4 * patience {
		if err := read(1); !errors.Is(err, ErrUnreachable) {
			t.Errorf("it fails with %v, want %v", err, ErrUnreachable)
		}
	}
}
