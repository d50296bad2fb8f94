package learn

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// century is when no honest clock has measured anything yet.
func century(i int) v1alpha1.Time { return v1alpha1.NewTime(at(i).AddDate(100, 0, 0)) }

// What is dated in the future crowds out nothing that has a date which can be, and is the first to go.
func TestWhatIsToComeRanksBelowWhatHasBeen(t *testing.T) {
	speed := func(run string, seen v1alpha1.Time) v1alpha1.MeasuredSpeed {
		return v1alpha1.MeasuredSpeed{Run: run, GPU: "A100", Workers: 2, Nodes: 1, PerSecond: "2", Count: 9, UpdatedAt: seen}
	}
	stored := v1alpha1.TrainingProfileStatus{Unit: "steps"}
	for i := range mostSpeeds {
		stored.Speeds = append(stored.Speeds, speed(fmt.Sprintf("ahead-%03d", i), century(i)))
	}
	now := at(1000)
	for i := range 3 {
		run := fmt.Sprintf("now-%d", i)
		stored = mergeRecord(stored, Record{Run: run, Unit: "steps", Speeds: []v1alpha1.MeasuredSpeed{
			speed(run, v1alpha1.NewTime(at(900+i)))}}, now)
	}
	honest := 0
	for _, s := range stored.Speeds {
		if !toCome(timeOf(s.UpdatedAt), now) {
			honest++
		}
	}
	if honest != 3 || len(stored.Speeds) != mostSpeeds {
		t.Errorf("of %d speeds %d are honest, want 3 of %d", len(stored.Speeds), honest, mostSpeeds)
	}
	if stored.UpdatedAt != v1alpha1.NewTime(at(902)) {
		t.Errorf("it was measured last at %s", stored.UpdatedAt)
	}
	// The same run measures once more, with a clock that is right by now.
	again := mergeRecord(v1alpha1.TrainingProfileStatus{Unit: "steps", Speeds: []v1alpha1.MeasuredSpeed{
		speed("resnet", century(0))}}, Record{Run: "resnet", Unit: "steps", Speeds: []v1alpha1.MeasuredSpeed{
		speed("resnet", v1alpha1.NewTime(at(1)))}}, now)
	if len(again.Speeds) != 1 || again.Speeds[0].UpdatedAt != v1alpha1.NewTime(at(1)) {
		t.Errorf("it keeps %+v", again.Speeds)
	}
}

// What is read of it counts as the oldest of all. A clock that is behind all that was measured is the one that is
// wrong.
func TestWhatIsToComeCountsAsOld(t *testing.T) {
	seen := func(all ...time.Time) (p predictor.Profile) {
		for i, at := range all {
			p.Speeds = append(p.Speeds, predictor.Speed{Run: fmt.Sprint(i), Seen: moment(at)})
		}
		p.Runs = append(p.Runs, predictor.Whole{Run: "last", Seen: moment(all[len(all)-1])})
		return p
	}
	for name, test := range map[string]struct{ is, want []time.Time }{
		"nothing":            {[]time.Time{at(1), at(2)}, []time.Time{at(1), at(2)}},
		"a clock a bit fast": {[]time.Time{at(1), at(130)}, []time.Time{at(1), at(130)}},
		"one":                {[]time.Time{at(1), at(9999999), at(2)}, []time.Time{at(1), at(1), at(2)}},
		"the last":           {[]time.Time{at(5), at(2), at(9999999)}, []time.Time{at(5), at(2), at(2)}},
		"all":                {[]time.Time{at(9999999), at(9999998)}, []time.Time{at(9999999), at(9999998)}},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := backdated(seen(test.is...), at(100)), seen(test.want...)
			if !sameRecords(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// When a training was last seen to advance is never yet to come, whatever it says of the time.
func TestNobodyHasSeenItAdvanceInTheFuture(t *testing.T) {
	for name, test := range map[string]struct {
		told *Run
		want elastic.Seconds
	}{
		"it has told nothing":               {NewRun("a"), 0},
		"it is out of reach since":          {whoTold(steps(10, 100), steps(20, 110)), Moment(at(20))},
		"it says again what it said before": {whoTold(steps(10, 100), steps(20, 110), steps(50, 110)), Moment(at(20))},
		"it dates its steps to come":        {whoTold(steps(10, 100), steps(900, 110)), Moment(at(60))},
	} {
		var job elastic.Job
		test.told.Fill(&job, nil, FillOptions{Now: at(60)})
		if job.AdvancedAt != test.want {
			t.Errorf("%s: it advanced at %v, want %v", name, job.AdvancedAt, test.want)
		}
	}
}

// whoTold is a run of two workers that has told these.
func whoTold(samples ...progress.Sample) *Run {
	r := NewRun("a")
	reads(2, samples...)(r)
	return r
}
