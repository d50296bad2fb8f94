package learn

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
)

func savedAt(s progress.Sample, seconds int) progress.Sample {
	s.SavedAt = at(seconds)
	return s
}

// A job saves its state, is suspended for an hour a minute later, and trains for half a minute until it is resized.
func TestTimeThatAJobHasNotTrainedIsNotLost(t *testing.T) {
	team := func(workers string, began, seconds int) tell {
		return func(r *Run) {
			if workers == "" {
				r.Team(workers, time.Time{}, at(seconds))
				return
			}
			r.Team(workers, at(began), at(seconds))
		}
	}
	line := func(from int, done float64) tell {
		return reads(2, steps(from, done), steps(from+10, done+10), steps(from+20, done+20), steps(from+30, done+30))
	}
	saved := reads(2, savedAt(steps(31, 131), 31))
	settled := func(r *Run) { r.Restarted(v1alpha1.RestartLive, resize.Cost{}) }
	silent := reads(2, savedAt(steps(0, 0), 0))
	suspended := []tell{team("a", -10, -5), line(0, 100), saved, team("", 0, 90), team("b", 3690, 3695)}
	tests := map[string]struct {
		told            []tell
		now             int
		wantSince, want time.Time // before and after the next change
	}{
		"it goes on after the pause": {append(suspended, line(3705, 131)), 3740, at(3715), at(3715)},
		"it advanced once after the pause": {
			append(suspended, reads(2, steps(3705, 131), steps(3715, 140))), 3717, at(3715), at(3715),
		},
		"it was not seen to advance": {append(suspended, reads(2, steps(3705, 131))), 3710, at(3690), at(3690)},
		"it was not suspended":       {[]tell{team("a", -10, -5), line(0, 100), saved}, 90, at(-10), at(-10)},
		"two changes in a row": {
			[]tell{team("a", -10, -5), line(0, 100), saved, team("ab", -10, 90)}, 95, at(-10), at(-10)},
		"two changes with training between": {
			[]tell{team("a", -10, -5), line(0, 100), saved, team("ab", -10, 90), line(100, 131)}, 135, at(110), at(110)},
		"a resize that was settled, of a job that tells nothing": {
			[]tell{team("a", -10, -5), silent, team("ab", -10, 90), settled}, 135, at(90), at(90)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for _, tell := range test.told {
				tell(r)
			}
			r, err := Recalled("resnet-1", r.Keep())
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Progress().TrainsSince; !got.Equal(test.wantSince) {
				t.Errorf("it trains since %v, want %v", got, test.wantSince)
			}
			r.Team("next", at(test.now), at(test.now))
			if got := r.Progress().BeganAt; !got.Equal(test.want) {
				t.Errorf("it had trained since %v, want %v", got, test.want)
			}
		})
	}
}

// What the planner takes a change of size to lose is no more than was trained.
func TestAPauseIsNotAtStake(t *testing.T) {
	r := NewRun("resnet-1")
	r.Team("a", at(-10), at(-5))
	reads(2, steps(0, 100), steps(10, 110), steps(20, 120), savedAt(steps(30, 130), 30))(r)
	r.Team("", time.Time{}, at(90))
	r.Team("b", at(3690), at(3695))
	reads(2, steps(3705, 130), steps(3715, 140), steps(3725, 150))(r)
	job := elastic.Job{Workers: 2}
	r.Fill(&job, nil, FillOptions{Now: at(3730), Began: at(3690)})
	want := elastic.Job{Workers: 2, BusyUntil: Moment(at(3705)), Left: 850, Rework: 15, SavedAt: Moment(at(3715)),
		AdvancedAt: Moment(at(3725))}
	job.Left, job.Sizes, job.Pause = 850, nil, 0 // which others judge
	if diff := cmp.Diff(want, job); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a job saves on the disks of its own pods goes with them. Once a restart has begun from nothing all the same, the
// next is known to lose everything, and not just what comes after the last save. Workers that join change nothing.
func TestWhatARestartDidNotFindIsNotSaved(t *testing.T) {
	r := NewRun("resnet-1")
	r.Team("a", at(-10), at(-5))
	reads(2, steps(0, 100), steps(10, 110), steps(20, 120), savedAt(steps(30, 130), 30), steps(40, 140), steps(50, 150))(r)
	r.Team("b", at(70), at(70))
	reads(2, steps(80, 0), steps(90, 10), steps(100, 20))(r)
	r.Restarted(v1alpha1.RestartCold, resize.Cost{Measured: true, Pause: 30 * time.Second, Lost: 150 * time.Second})
	reads(2, steps(110, 30), savedAt(steps(120, 40), 120), steps(130, 50))(r)
	for name, run := range map[string]*Run{"this process": r, "the next one": recalled(t, r)} {
		for kind, want := range map[v1alpha1.RestartKind]elastic.Job{
			v1alpha1.RestartCold: {Unsaved: true, Done: 50}, v1alpha1.RestartLive: {Rework: 10},
		} {
			job := elastic.Job{Workers: 2}
			run.Fill(&job, nil, FillOptions{Now: at(130), Began: at(70), Kind: kind})
			if got := (elastic.Job{Unsaved: job.Unsaved, Done: job.Done, Rework: job.Rework}); !cmp.Equal(want, got) {
				t.Errorf("%s, %s: unsaved %t, done %g, rework %g", name, kind, got.Unsaved, got.Done, got.Rework)
			}
		}
	}
}

// A job that saves its state half a minute before it is stopped has no more at stake the longer it waits.
func TestTimeThatAJobWaitsIsNotAtStake(t *testing.T) {
	r := NewRun("resnet-1")
	r.Team("a", at(-10), at(-5))
	reads(2, steps(0, 100), steps(10, 110), steps(20, 120), savedAt(steps(30, 130), 30), steps(40, 140), steps(50, 150))(r)
	r.Team("", time.Time{}, at(60))
	for name, run := range map[string]*Run{"this process": r, "the next one": recalled(t, r)} {
		for _, now := range []int{61, 36000} {
			var job elastic.Job
			if run.Fill(&job, nil, FillOptions{Now: at(now)}); job.Rework != 30 {
				t.Errorf("%s, at %d s: it has %g s at stake, want 30", name, now, job.Rework)
			}
		}
	}
}

// What a job had not saved when it was stopped is lost while it starts again, until it is seen to go on from there.
func TestAJobThatStartsHasLostWhatItLostBefore(t *testing.T) {
	r := NewRun("resnet-1")
	r.Team("a", at(-10), at(-5))
	reads(2, steps(0, 100), steps(10, 110), steps(20, 120), steps(30, 130))(r)
	r.Team("", time.Time{}, at(60))
	fill := func(workers elastic.Workers, now int) elastic.Job {
		job := elastic.Job{Workers: workers}
		r.Fill(&job, nil, FillOptions{Now: at(now), Kind: v1alpha1.RestartStart})
		return elastic.Job{Left: job.Left, Done: job.Done, Unsaved: job.Unsaved, Rework: job.Rework}
	}
	waits := fill(0, 100)
	if want := (elastic.Job{Left: 1000, Unsaved: true}); !cmp.Equal(want, waits) {
		t.Errorf("as it waits: %+v", waits)
	}
	if diff := cmp.Diff(waits, fill(2, 110)); diff != "" {
		t.Errorf("before its workers run (-as it waited +as it starts):\n%s", diff)
	}
	r.Team("b", at(120), at(125))
	if diff := cmp.Diff(waits, fill(2, 130)); diff != "" {
		t.Errorf("before they tell (-as it waited +as it starts):\n%s", diff)
	}
	reads(2, steps(140, 130), steps(150, 140), steps(160, 150))(r)
	if got := fill(2, 160); got.Done != 150 {
		t.Errorf("it goes on from there, and has done %g", got.Done)
	}
}

// A worker is told to go, and those who train save once more before they notice it.
func TestWhatIsSavedBeforeWorkersNoticeAChangeIsNotLost(t *testing.T) {
	r := NewRun("resnet-1")
	for _, tell := range slices.Concat(one, []tell{
		team("ab", 0, 61), reads(2, line(70, 1, 60, 54, 2)...), over(10 * time.Second),
		reads(2, savedAt(steps(130, 174), 130)), reads(2, line(131, 1, 60, 176, 2)...), team("a", 0, 190),
		reads(1, steps(191, 296), steps(192, 298), savedAt(steps(193, 300), 193)), reads(1, line(205, 1, 3, 300, 1)...),
	}) {
		tell(r)
	}
	if p := r.Progress(); !p.StoppedAt.Equal(at(193)) || !p.SavedAt.Equal(at(193)) {
		t.Errorf("it stopped at %v, and had saved at %v, want both at %v", p.StoppedAt, p.SavedAt, at(193))
	}
}

// What a crash has lost since a checkpoint is not lost once more by a change that comes soon after.
func TestWhatACrashHasLostIsNotLostAgain(t *testing.T) {
	r := NewRun("resnet-1")
	for _, tell := range slices.Concat(one, []tell{
		reads(1, savedAt(steps(61, 54), 61)), reads(1, line(62, 1, 100, 55, 1)...), reads(1, line(180, 1, 20, 54, 1)...),
		team("ab", 0, 200),
	}) {
		tell(r)
	}
	if p := r.Progress(); p.BeganAt.Before(at(175)) || p.BeganAt.After(at(185)) {
		t.Errorf("it had trained since %v, want about %v", p.BeganAt, at(180))
	}
}
