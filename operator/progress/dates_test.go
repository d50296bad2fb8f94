package progress

import (
	"errors"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// The clock of a node is behind ours, or ours is set ahead and back again. What its worker tells is dated by ours, as
// exactly as we look; and where clocks agree, as the worker dates it.
func TestReadingsAreDatedByOurClock(t *testing.T) {
	for name, behind := range map[string]func(round int) time.Duration{
		"as ours":         func(int) time.Duration { return 0 },
		"a bit ahead":     func(int) time.Duration { return -30 * time.Second },
		"ahead":           func(int) time.Duration { return -10 * time.Minute },
		"far ahead":       func(int) time.Duration { return -9 * time.Hour },
		"behind":          func(int) time.Duration { return 6 * time.Minute },
		"far behind":      func(int) time.Duration { return time.Hour },
		"ours is set":     func(round int) time.Duration { return time.Duration(min(round/30, 1)) * time.Hour },
		"and set back":    func(round int) time.Duration { return time.Duration(1-min(round/30, 1)) * time.Hour },
		"behind and then": func(round int) time.Duration { return time.Duration(round/40) * 7 * time.Minute },
	} {
		t.Run(name, func(t *testing.T) {
			reader, sources, _ := stage()
			source := sources[logs]
			source.err = nil
			truly := sixOClock // what a clock shows that is right, as the node's is
			for round := range 80 {
				truly = truly.Add(ten)
				told := truly.Add(-3 * time.Second)
				now := truly.Add(behind(round))
				source.answer = Sample{Done: float64(round), Total: 1000, At: told}
				got, err := reader.Read(t.Context(), resnet(), now)
				if err != nil {
					t.Fatal(err)
				}
				was := behind(max(round-1, 0))
				off := got.At.Sub(told.Add(behind(round)))
				switch {
				case round == 0 || was != behind(round): // that is found out with the next
				case off < -ten || off > 3*time.Second && behind(round) >= 0:
					t.Fatalf("%d: it is dated %s off, by %s, at %s", round, off, got.At, now)
				case behind(round) < -time.Minute && (off < 0 || off > 3*time.Second):
					t.Fatalf("%d: it is dated %s late, by %s, at %s", round, off, got.At, now)
				case behind(round) <= 0 && behind(round) > -time.Minute && round < 30 && !got.At.Equal(told):
					t.Fatalf("%d: it is dated %s, want what the worker says, %s", round, got.At, told)
				}
			}
		})
	}
}

// The clock of a node that is ahead is set right, or another worker is read, of a node that is right: what it tells is
// dated as it says, at once. By what was true of the clock before, it would seem to be of long ago.
func TestANodeIsAheadNoMore(t *testing.T) {
	first, other := resnet(worker("resnet-worker-0")), resnet(worker("resnet-worker-1"))
	for name, then := range map[string]struct {
		target Target
		ahead  time.Duration
	}{
		"its clock is set right":   {first, 0},
		"its clock is set nearer":  {first, 5 * time.Minute},
		"another node":             {other, 0},
		"another that is ahead so": {other, 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			reader, sources, _ := stage()
			source := sources[logs]
			source.err = nil
			for round := range 20 {
				now, target, ahead := sixOClock.Add(time.Duration(round)*ten), first, 10*time.Minute
				if round >= 10 {
					target, ahead = then.target, then.ahead
				}
				told := now.Add(-3 * time.Second)
				source.answer = Sample{Done: float64(round), Total: 1000, At: told.Add(ahead)}
				got, err := reader.Read(t.Context(), target, now)
				if off := got.At.Sub(told); err != nil || off < 0 || off > 3*time.Second {
					t.Fatalf("%d: it is dated %s off, at %s: %v", round, off, now, err)
				}
			}
		})
	}
}

// What was told long ago is dated so, however often it is read; and so is what comes out of order.
func TestWhatIsToldRarelyIsDatedWhenItWas(t *testing.T) {
	reader, sources, _ := stage()
	source := sources[logs]
	source.err = nil
	for round := range 200 {
		now := sixOClock.Add(time.Duration(round) * ten)
		told := now.Truncate(10 * time.Minute)
		if round%7 == 3 {
			told = told.Add(-time.Minute)
		}
		source.answer = Sample{Done: float64(told.Unix() - sixOClock.Unix() + 3600), Total: 1e6, At: told}
		got, err := reader.Read(t.Context(), resnet(), now)
		if err != nil {
			t.Fatal(err)
		}
		if !got.At.Equal(told) {
			t.Fatalf("%d: it is dated %s, want %s", round, got.At, told)
		}
	}
}

// What a node tells that is ahead by a day and more is no date, and a source that is dated by nobody's node is not
// believed to be ahead at all. What somebody writes on the job is dated by no node.
func TestHowFarANodeMayBeAhead(t *testing.T) {
	saved := sixOClock.Add(-time.Hour)
	for name, test := range map[string]struct {
		source    v1alpha1.ProgressSource
		ahead     time.Duration
		annotated string
		saved     time.Time // as we date it; zero where it is not read
	}{
		"a node":                   {logs, time.Hour, "", saved},
		"and the job is annotated": {logs, time.Hour, "2026-11-21T17:30:00Z", sixOClock.Add(-30 * time.Minute)},
		"a node, by days":          {logs, 25 * time.Hour, "", time.Time{}},
		"an endpoint":              {prom, time.Hour, "", time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			reader, sources, _ := stage()
			sources[test.source].err = nil
			sources[test.source].answer = Sample{
				Done: 1, Total: 10, At: sixOClock.Add(test.ahead), SavedAt: saved.Add(test.ahead),
			}
			target := resnet()
			if test.annotated != "" {
				target.Annotations = map[string]string{CheckpointAnnotation: test.annotated}
			}
			got, err := reader.Read(t.Context(), target, sixOClock)
			if !got.SavedAt.Equal(test.saved) || errors.Is(err, ErrLie) != test.saved.IsZero() {
				t.Errorf("it was saved at %s, want %s: %v", got.SavedAt, test.saved, err)
			}
		})
	}
}
