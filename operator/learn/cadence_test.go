package learn

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/predictor"
)

// A run that has told too little for a cadence of its own has that of earlier runs of its code, at the size at which
// they told least often. Once it has told enough it goes by that.
func TestCadenceIsKnownFromTheProfile(t *testing.T) {
	first := NewRun("a-1")
	reads(4, steps(0, 0), steps(10, 10), steps(20, 20), steps(30, 30), steps(40, 40))(first)
	changes(50)(first)
	reads(2, steps(60, 50), steps(90, 60), steps(120, 70), steps(150, 80), steps(180, 90))(first)
	first = recalled(t, first)
	rec, due := first.Record(at(600), false)
	if !due {
		rec, due = first.Record(at(1200), false)
	}
	if !due || len(rec.Speeds) != 2 {
		t.Fatalf("got %+v, %t", rec, due)
	}
	profile, unit, err := FromStatus(statusOf(rec))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		unit        string
		told        []tell
		want, alone time.Duration
	}{
		"nothing told":       {unit, nil, 30 * time.Second, time.Minute},
		"told once":          {unit, []tell{reads(4, steps(2000, 10))}, 30 * time.Second, time.Minute},
		"told once, resized": {unit, []tell{reads(4, steps(2000, 10)), changes(2010)}, 30 * time.Second, time.Minute},
		"told often": {unit, []tell{reads(4, steps(2000, 0), steps(2300, 10), steps(2600, 20), steps(2900, 30))},
			5 * time.Minute, 20 * time.Minute},
		"counts otherwise": {"epochs", []tell{reads(4, steps(2000, 10))}, 0, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("a-2")
			_ = r.Inherit(profile, test.unit, at(1900)) // which complains of another unit only once it was read
			for _, tell := range test.told {
				tell(r)
			}
			if got := r.Progress(); got.Cadence != test.want || got.Alone != test.alone || got.Reported != (len(test.told) > 0) {
				t.Errorf("the cadence is %v, alone %v, reported: %t; want %v, %v", got.Cadence, got.Alone, got.Reported, test.want,
					test.alone)
			}
		})
	}
	profile.Speeds = append(profile.Speeds,
		predictor.Speed{Run: "a-0", Seen: moment(at(0)), Shape: size(1), Step: 1, Count: 3})
	r := NewRun("a-3")
	if err := r.Inherit(profile, unit, at(1900)); err != nil || r.Progress().Cadence != 30*time.Second {
		t.Errorf("a speed of an earlier release counts: %v, %v", r.Progress().Cadence, err)
	}
}

// Four workers tell each epoch. One takes four times as long for it: it is not stale meanwhile, and in the end it is.
func TestFewerWorkersTellMoreRarely(t *testing.T) {
	const epoch, change = 270, 2760
	r := NewRun("resnet-1")
	r.Team("four", at(0), at(0))
	r.Attend(size(4), at(0), at(0))
	reads(4, line(epoch, epoch, 10, epoch, 1)...)(r)
	r.Team("one", at(change), at(change))
	r.Attend(size(1), at(change), at(change))
	for _, each := range []*Run{r, recalled(t, r)} {
		for after, want := range map[int]Health{4 * epoch: Good, 16 * epoch: Stale} {
			each.Attend(size(1), at(change), at(change+after))
			if got := each.View(at(change+after), 5*time.Minute); got.Health != want {
				t.Errorf("%d s after the change it is %s (%s), want %s", after, got.Health, got.Sentence, want)
			}
		}
	}
}
