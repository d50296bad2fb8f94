package resize_test

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
)

// skewed is a change that is being watched by an operator whose clock is ahead of that of the API server, which dates
// pods, by so much.
func skewed(from, to resize.Workers, now time.Time, ahead time.Duration, created ...time.Time) resize.Observed {
	committed := dawn.Add(time.Minute)
	o := resize.Observed{
		Now: now, Limits: resize.DefaultLimits(), Newest: 7,
		Record: resize.Record{
			Epoch: 7, From: from, To: to, Mode: resize.Live, Why: "DeadlineRisk", CreatedAt: dawn.Add(-ahead),
			Conditions: []resize.Condition{
				{Type: resize.Proposed, At: dawn}, {Type: resize.Placed, At: dawn}, {Type: resize.Ready, At: dawn},
				{Type: resize.Committed, At: committed},
			},
		},
		Job:      resize.Job{Workers: to, Asked: resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: to, At: committed}},
		Progress: resize.Progress{WatchedSince: dawn, Heard: true, SeenAt: now},
	}
	for i, at := range created {
		o.Pods = append(o.Pods, resize.Pod{Index: resize.Index(i), State: resize.PodTraining, LetIn: true,
			CreatedAt: at.Add(-ahead)})
	}
	return o
}

// A job that tells nothing has grown, and its workers run. The clock that dates them is ahead of the operator's.
func TestAGrowthIsNotTakenBackBecauseClocksDiffer(t *testing.T) {
	for _, ahead := range []time.Duration{0, -time.Minute, -11 * time.Minute, -time.Hour, time.Hour} {
		for after := time.Duration(0); ; after += 10 * time.Second {
			now := dawn.Add(time.Minute + after)
			s := resize.Next(skewed(1, 2, now, ahead, dawn.Add(-time.Hour), dawn))
			if s.Do == resize.Wait && after < 15*time.Minute {
				continue
			}
			if s.Condition != resize.Succeeded || after > 2*time.Minute {
				t.Errorf("the operator is %s ahead: %s after %s: %s", ahead, headline(s), after, s.Message)
			}
			break
		}
	}
}

// A training hangs after a shrink, and one of its workers has been recycled. Another is not, whichever clock is ahead.
func TestOneWorkerIsRecycledThoughClocksDiffer(t *testing.T) {
	for _, ahead := range []time.Duration{0, time.Minute, 11 * time.Minute, time.Hour, -time.Hour} {
		recycled := dawn.Add(time.Minute + 20*time.Minute)
		o := skewed(4, 3, recycled.Add(10*time.Second), ahead, dawn.Add(-2*time.Hour), dawn.Add(-2*time.Hour), recycled)
		o.Progress.Reported, o.Progress.Cadence = true, 10*time.Second
		if s := resize.Next(o); s.Do != resize.Wait {
			t.Errorf("the operator is %s ahead: %s: %s", ahead, headline(s), s.Message)
		}
	}
}

// The scheduler says that one of two new workers fits, which would do. Its clock is behind the operator's.
func TestTheSchedulerIsHeardThoughItsClockIsBehind(t *testing.T) {
	for _, behind := range []time.Duration{0, 5 * time.Second, 5 * time.Minute, -time.Minute} {
		asked := dawn.Add(time.Minute)
		o := resize.Observed{
			Now: asked.Add(30 * time.Second), Limits: resize.DefaultLimits(), Newest: 7,
			Record: resize.Record{Epoch: 7, From: 1, To: 3, Acceptable: 2, Mode: resize.Live, Why: "DeadlineRisk",
				Conditions: []resize.Condition{{Type: resize.Proposed, At: asked}},
				Placement:  resize.Placement{Fits: 1, Message: "1 of 2 fits", At: asked.Add(2*time.Second - behind)}},
			Job: resize.Job{Workers: 3, Asked: resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 3, At: asked}},
			Pods: []resize.Pod{{Index: 0, State: resize.PodTraining, LetIn: true}, {Index: 1, State: resize.PodHeld},
				{Index: 2, State: resize.PodHeld}},
		}
		if s := resize.Next(o); s.Reason != resize.SettledForFewer {
			t.Errorf("%s behind: %s: %s", behind, headline(s), s.Message)
		}
	}
}
