package learn

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// told has a run hear how many steps are done.
func told(r *Run, seconds int, done, total float64) {
	r.Sample(progress.Sample{
		Source: v1alpha1.ProgressLogs, At: at(seconds), Unit: "steps", Done: math.Floor(done), Total: total,
	}, size(4))
}

// filledFor is what is planned with, of a job that runs with four workers.
func filledFor(r *Run, seconds int, began time.Time) elastic.Job {
	job := elastic.Job{Workers: 4}
	r.Fill(&job, []predictor.Shape{size(4)}, FillOptions{Now: at(seconds), AssumedPause: time.Minute, Began: began})
	return job
}

// It crashes every hour and loses five minutes. After three times nobody is surprised by the fourth.
func TestCrashesThatComeAgainAreForeseen(t *testing.T) {
	r := NewRun("a-1")
	r.Team("z", at(0), at(0))
	const total = 8 * 3600 * 0.9
	done, now := 0.0, 0
	var early, late []float64
	for done < total {
		now += 10
		switch {
		case now%3600 == 0:
			done -= 300
		case now%3600 >= 30:
			done += 10
		}
		told(r, now, done, total)
		if now > 3*3600+600 && now%60 == 0 {
			job := filledFor(r, now, at(0))
			s := job.Sizes[0]
			early = append(early, float64(now)+float64(job.Left)/float64(s.Best))
			late = append(late, float64(now)+float64(job.Left)/float64(s.Speed))
		}
	}
	held := 0
	for i := range early {
		if early[i] <= float64(now) && float64(now) <= late[i] {
			held++
		}
	}
	if held*10 < 8*len(early) {
		t.Errorf("%d of %d intervals hold the truth", held, len(early))
	}
}

// Others of its profile may have had other data, or other batches: what this run shows of itself counts.
func TestAWrongSpeedIsNotBelievedForEver(t *testing.T) {
	for _, wrong := range []float64{1.25, 2, 10} {
		p := predictor.Profile{Speeds: []predictor.Speed{{
			Run: "old", Seen: moment(at(-1000)), Shape: size(4), Count: 100, Step: predictor.Seconds(4 / (40 * wrong)),
		}}}
		r := NewRun("a-2")
		if err := r.Inherit(p, "steps", at(0)); err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		r.Team("z", at(0), at(0))
		done := 0.0
		for i := range 720 {
			done += 10 * 40 * (1 + 0.05*random.NormFloat64())
			told(r, 10*(i+1), done, 600000)
		}
		if s := filledFor(r, 7200, at(0)).Sizes[0]; s.Speed > 40 || s.Best < 40 {
			t.Errorf("others were %g times as fast: it is told %.1f, %.1f to %.1f steps a second, and does 40", wrong,
				s.Expected, s.Speed, s.Best)
		}
	}
}

// One run in a profile of long ones was for a try.
func TestOneShortRunMakesNoBelief(t *testing.T) {
	var stored v1alpha1.TrainingProfileStatus
	for i := range 6 {
		seconds := 21600 + 100*i
		if i == 5 {
			seconds = 300
		}
		stored = mergeRecord(stored, ended(i, seconds, 4), at(0))
	}
	profile, unit, err := FromStatus(&stored)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRun("next-1")
	if err := r.Inherit(profile, unit, at(0)); err != nil {
		t.Fatal(err)
	}
	if middle, _ := takes(filled(r, 0, sixHours)); math.Abs(middle/21600-1) > 0.1 {
		t.Errorf("it is taken to need %s", time.Duration(middle)*time.Second)
	}
}

// What a job has trained before it was seen first is lost with all else, where it has no checkpoint.
func TestWhatWasTrainedBeforeCountsAsLost(t *testing.T) {
	r := NewRun("a-1")
	r.Team("z", at(0), at(450))
	for i := range 6 {
		told(r, 450+10*i, float64(450+10*i), 6000)
	}
	job := filledFor(r, 500, at(0))
	if !job.Unsaved || job.SavedAt != Moment(at(0)) {
		t.Errorf("it may lose what was done since %v (unsaved: %t), and has trained since %v", job.SavedAt, job.Unsaved,
			Moment(at(0)))
	}
	recalled, err := Recalled("a-1", r.Keep())
	if err != nil {
		t.Fatal(err)
	}
	if job := filledFor(recalled, 500, at(0)); job.SavedAt != Moment(at(0)) {
		t.Errorf("another process counts from %v on", job.SavedAt)
	}
	r.Team("y", at(510), at(510))
	if job := filledFor(r, 520, at(0)); job.SavedAt != Moment(at(510)) {
		t.Errorf("after a change it counts from %v on", job.SavedAt)
	}
}
