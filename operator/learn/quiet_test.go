package learn

import (
	"fmt"
	"testing"
	"time"
)

// A training that has told nothing for forty minutes after its start is given as long after the next: its last reading
// is not called stale before, nor by a process that begins meanwhile.
func TestATrainingThatTellsNothingAfterEachStart(t *testing.T) {
	const staleAfter = 5 * time.Minute
	r := NewRun("resnet-1")
	r.Team("first", time.Time{}, at(0))
	for _, s := range line(2400, 5, 20, 4800, 2) {
		r.Sample(s, size(4))
	}
	if got := r.Progress().Quiet; got != 40*time.Minute {
		t.Errorf("it told nothing for %s after its start, want 40m", got)
	}
	r.Team("second", time.Time{}, at(2500))
	for after, want := range map[time.Duration]Health{20 * time.Minute: Good, 90 * time.Minute: Stale} {
		for _, each := range []*Run{r, recalled(t, r)} {
			if got := each.View(at(2500).Add(after), staleAfter); got.Health != want {
				t.Errorf("%s after the change it is %s: %s, want %s", after, got.Health, got.Sentence, want)
			}
		}
	}
	r.Sample(line(2600, 5, 1, 5200, 2)[0], size(4))
	if got := r.View(at(2600).Add(20*time.Minute), staleAfter); got.Health != Stale {
		t.Errorf("silent since it went on, it is %s, want %s", got.Health, Stale)
	}
}

// A bar that is drawn as the training begins, or goes on, tells nothing yet: the first step may take forty minutes.
func TestATrainingThatDrawsABarLongBeforeItsFirstStep(t *testing.T) {
	r := NewRun("resnet-1")
	for i, done := range []float64{0, 0, 20} {
		start := 5000 * i
		r.Team(fmt.Sprint(start), time.Time{}, at(start))
		r.Sample(line(start+10, 5, 1, done, 2)[0], size(4))
		if got := r.View(at(start+10).Add(20*time.Minute), 5*time.Minute); i > 0 && got.Health != Good {
			t.Errorf("20 minutes after its start it is %s: %s", got.Health, got.Sentence)
		}
		for _, s := range line(start+2400, 5, 20, done+2, 2) {
			r.Sample(s, size(4))
		}
		if got := r.Progress().Quiet; got != 40*time.Minute {
			t.Errorf("it told nothing for %s after its start, want 40m", got)
		}
	}
}

// New workers come to those who train on, until all of them meet: from then on the training is as quiet as after a
// start.
func TestATrainingThatTellsNothingOnceNewWorkersTakePart(t *testing.T) {
	r := NewRun("resnet-1")
	r.Team("two", at(0), at(0))
	for _, s := range line(2400, 5, 40, 10, 2) {
		r.Sample(s, size(2))
	}
	r.Team("four", at(0), at(2600))
	for _, s := range line(2600, 5, 5, 410, 2) {
		r.Sample(s, size(4))
	}
	for after, want := range map[time.Duration]Health{20 * time.Minute: Good, 90 * time.Minute: Stale} {
		for _, each := range []*Run{r, recalled(t, r)} {
			if got := each.View(at(2620).Add(after), 5*time.Minute); got.Health != want {
				t.Errorf("%s after they met it is %s: %s, want %s", after, got.Health, got.Sentence, want)
			}
		}
	}
}

// What a training told while nobody looked is not known: that it was quiet is not learned of that.
func TestNobodyIsQuietWhileNobodyLooks(t *testing.T) {
	r := NewRun("resnet-1")
	r.Team("first", time.Time{}, at(0))
	for second := 0; second <= 60; second += 20 {
		r.Attend(size(4), at(0), at(second))
	}
	r = recalled(t, r)
	r.Attend(size(4), at(0), at(9000))
	r.Sample(line(9000, 5, 1, 4800, 2)[0], size(4))
	if got := r.Progress().Quiet; got != time.Minute {
		t.Errorf("it told nothing for %s while somebody looked, want 1m", got)
	}
}
