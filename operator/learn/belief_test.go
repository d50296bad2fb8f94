package learn

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// sixHours is what somebody expects.
var sixHours = Expected{Took: 6 * time.Hour, Workers: 4}

func filled(r *Run, seconds int, expected Expected) elastic.Job {
	job := elastic.Job{Workers: 4}
	r.Fill(&job, []predictor.Shape{size(1), size(4), size(8), size(64)}, FillOptions{
		Now: at(seconds), StaleAfter: time.Minute, AssumedPause: time.Minute, Expected: expected,
	})
	return job
}

// takes is how long the rest of a job takes at its second size, in the middle and at the pessimistic end.
func takes(job elastic.Job) (middle, late float64) {
	return float64(job.Left) / float64(job.Sizes[1].Expected), float64(job.Left) / float64(job.Sizes[1].Speed)
}

// A counter that is complete and begins anew counts a part. What was reckoned by its total is forgotten: how much is
// done, and that the training reports it, so that no resize waits for its counter.
func TestWhatIsRefutedIsBelievedNoMore(t *testing.T) {
	r := NewRun("resnet-1")
	r.Team("a", time.Time{}, at(0))
	reads(4, steps(0, 900), steps(30, 930), steps(60, 960), steps(90, 990))(r)
	refuted := &progress.SourceError{Source: v1alpha1.ProgressLogs, Err: progress.ErrPart}
	r.Failed(&progress.SourceError{Source: v1alpha1.ProgressLogs, Err: progress.ErrUnsure}, at(100))
	if is := r.View(at(100), time.Minute); !is.Known || is.Refuted || !r.Progress().Reported {
		t.Errorf("a doubt refutes nothing: %+v", is)
	}
	r.Failed(refuted, at(110))
	for _, r := range []*Run{r, recalled(t, r)} {
		is, progress := r.View(at(110), time.Minute), r.Progress()
		if is.Known || !is.Refuted || progress.Reported {
			t.Errorf("it is known still: %+v, %+v", is, progress)
		}
		if job := filled(r, 110, Expected{}); !job.UnknownWork {
			t.Errorf("its work is known still: %+v", job)
		}
		job := elastic.Job{Workers: 4}
		r.Fill(&job, []predictor.Shape{size(4), size(8)}, FillOptions{Now: at(110), Expected: sixHours, DoneShare: 0.99})
		if took := float64(job.Left) / float64(job.Sizes[0].Expected); job.Believed == "" || took < 5*3600 {
			t.Errorf("what was said of it is believed: %g s are left", took)
		}
		whole := steps(120, 1010)
		whole.Total = 5000
		reads(4, whole)(r)
		if is := r.View(at(120), time.Minute); !is.Known || is.Refuted || is.Done != 1010.0/5000 || !r.Progress().Reported {
			t.Errorf("it tells the whole: %+v", is)
		}
	}
}

func TestWhatSomebodyExpects(t *testing.T) {
	r := NewRun("resnet-1")
	if job := filled(r, 0, Expected{}); job.Believed != "" || job.Sizes[1].Expected != 0 {
		t.Errorf("of nothing: %+v", job)
	}
	job := filled(r, 0, sixHours)
	middle, late := takes(job)
	if job.Believed != "what its owner expects" || !job.Doubted || math.Abs(middle-6*3600) > 600 || late < 11*3600 ||
		late > 13*3600 {
		t.Errorf("before it begins: %+v, which takes %g s, or %g", job, middle, late)
	}
	if job.Sizes[3].Speed != 0 || job.Sizes[3].Expected == 0 {
		t.Errorf("far beyond: %+v", job.Sizes[3])
	}

	// While it says nothing, the time that it trains counts.
	r.Team("a", time.Time{}, at(0))
	for i := range 181 {
		r.Attend(size(4), at(0), at(60*i))
		r.Failed(ErrUnits, at(60*i)) // any reason
	}
	job = filled(r, 3*3600, sixHours)
	if middle, _ = takes(job); job.UnknownWork || math.Abs(middle-3.2*3600) > 0.3*3600 {
		t.Errorf("after three hours: %+v, which takes %g s", job, middle)
	}
	again := recalled(t, r)
	again.Team("a", time.Time{}, at(3*3600+20))
	again.Attend(size(4), at(0), at(3*3600+20))
	if still, _ := takes(filled(again, 3*3600+20, sixHours)); math.Abs(still-middle) > 60 {
		t.Errorf("after a restart of the operator: %g s, want %g", still, middle)
	}
	r.Attend(size(4), at(0), at(8*3600))
	if middle, late = takes(filled(r, 8*3600, sixHours)); middle < 600 || middle > 4*3600 || late < middle {
		t.Errorf("though it should have ended: %g s, or %g", middle, late)
	}
	promised := elastic.Job{Promised: true}
	if r.Fill(&promised, []predictor.Shape{size(4)}, FillOptions{Expected: sixHours}); promised.Believed != "" {
		t.Errorf("a promise goes by a guess: %+v", promised)
	}
}

// The job itself knows better.
func TestWhatAJobTellsCountsMoreThanWhatSomebodyExpects(t *testing.T) {
	r := NewRun("resnet-1")
	reads(4, steps(0, 0))(r)
	if job := filled(r, 0, sixHours); job.Left != 1000 || math.Abs(float64(job.Sizes[1].Expected)*6*3600/1000-1) > 0.03 ||
		job.Believed == "" {
		t.Errorf("of the work alone: %+v", job)
	}
	reads(4, steps(10, 10), steps(20, 20))(r)
	if job := filled(r, 20, sixHours); job.Left != 980 || math.Abs(float64(job.Sizes[1].Expected)-1) > 0.1 ||
		job.Believed != "" || job.Doubted {
		t.Errorf("of work and speed: %+v", job)
	}
}

// ended is a run of a profile that has taken so long, half of it with other workers.
func ended(i int, seconds int, workers ...int) Record {
	r := NewRun(fmt.Sprintf("resnet-%d", i))
	now := 0
	for j, w := range workers {
		r.Team(fmt.Sprint(j), time.Time{}, at(now))
		r.Attend(size(w), at(now), at(now+20))
		r.Attend(size(w), at(now), at(now+seconds/len(workers)-5))
		now += seconds / len(workers)
	}
	r.Finished(at(now))
	record, _ := r.Last(at(now))
	return record
}

func TestWhatEarlierRunsTook(t *testing.T) {
	for name, test := range map[string]struct {
		runs   []Record
		want   string
		doubt  bool
		middle float64
		late   float64 // at most
	}{
		"one": {[]Record{ended(1, 7200, 4)}, "1 earlier run", true, 7200, 14000},
		"three alike": {
			[]Record{ended(1, 7200, 4), ended(2, 7000, 4), ended(3, 7400, 4)}, "3 earlier runs", false, 7200, 11000,
		},
		"three that differ": {[]Record{ended(1, 7200, 4), ended(2, 3000, 4), ended(3, 15000, 4)},
			"3 earlier runs", true, 6870, 40000},
		"one that was resized": {[]Record{ended(1, 7200, 4, 4)}, "1 earlier run", true, 7200, 14000},
	} {
		t.Run(name, func(t *testing.T) {
			var stored v1alpha1.TrainingProfileStatus
			for _, record := range test.runs {
				stored = mergeRecord(stored, record, at(0))
			}
			if again := mergeRecord(stored, test.runs[0], at(100)); len(again.Runs) != len(test.runs) ||
				int(again.Jobs) != len(test.runs) {
				t.Errorf("stored twice: %+v", again)
			}
			profile, unit, err := FromStatus(&stored)
			if err != nil {
				t.Fatal(err)
			}
			r := NewRun("next-1")
			if err := r.Inherit(profile, unit, at(0)); err != nil {
				t.Fatal(err)
			}
			job := filled(r, 0, sixHours) // who expects something else is wrong
			middle, late := takes(job)
			if job.Believed != test.want || job.Doubted != test.doubt || math.Abs(middle/test.middle-1) > 0.05 ||
				late > test.late {
				t.Errorf("%+v, which takes %g s, or %g; want %g, or %g at most", job, middle, late, test.middle, test.late)
			}
		})
	}
}

func TestNonsenseOfRunsIsLeftOut(t *testing.T) {
	good := v1alpha1.MeasuredRun{Run: "a-1", UpdatedAt: v1alpha1.NewTime(dawn), Took: []v1alpha1.TimeAtSize{{
		GPU: "A100", Workers: 4, Nodes: 1, Seconds: 100,
	}}}
	none, wide, timeless := *good.DeepCopy(), *good.DeepCopy(), *good.DeepCopy()
	none.Took, wide.Took[0].Nodes, timeless.Took[0].Seconds = nil, 8, 0
	profile, _, err := FromStatus(&v1alpha1.TrainingProfileStatus{
		Runs: []v1alpha1.MeasuredRun{good, none, wide, timeless},
	})
	if len(profile.Runs) != 1 || err == nil {
		t.Errorf("%+v, %v", profile, err)
	}
}
