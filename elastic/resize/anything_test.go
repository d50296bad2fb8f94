package resize_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
)

// TestAnything shows Next worlds that make no sense: others write to the same
// objects, and observations are put together from several that never were at
// the same time. There is always one step, it says why, and it is not one that
// could harm a job that goes on.
func TestAnything(t *testing.T) {
	seen := map[resize.Action]int{}
	for seed := range uint64(50_000) {
		o := nonsense(rand.New(rand.NewPCG(seed, 11)))
		s := resize.Next(o)
		seen[s.Do]++
		size := o.Job.Workers
		if o.Job.Suspended {
			size = 0
		}
		var wrong string
		switch {
		case s.Message == "" || s.Reason == "":
			wrong = "no reason or sentence"
		case s.Do == resize.Wait && !s.Until.After(o.Now):
			wrong = "waits for what has passed"
		case len(s.Pods) == 0 && slices.Contains([]resize.Action{
			resize.StepAside, resize.LetIn, resize.MarkDraining, resize.DeletePods}, s.Do):
			wrong = "a write to no pod"
		case s.Do == resize.AskJob && !s.Ask.Suspended && s.Ask.Workers < 1:
			wrong = "asks for no workers"
		case s.Reason == resize.AgentNotInstalled && s.Do == resize.AskJob:
			if o.Job.Bare || s.Ask.Suspended {
				wrong = "takes the agent out once more"
			}
		case s.Reason == resize.AgentNotInstalled:
			for _, p := range o.Pods {
				if slices.Contains(s.Pods, p.Index) && (!o.Job.Bare || !p.Wrapped || p.State == resize.PodTraining) {
					wrong = "deletes one that trains, or would be made the same again"
				}
			}
		case s.Do == resize.AskJob && s.Ask.Stage == o.Job.Asked.Stage && s.Ask.Epoch == o.Job.Asked.Epoch &&
			s.Ask.Workers == o.Job.Asked.Workers && s.Ask.Suspended == o.Job.Asked.Suspended:
			wrong = "asks for what was asked for already"
		case s.Do == resize.AddCondition && has(o, s.Condition):
			wrong = "adds a condition again"
		case s.Do == resize.DeletePods && o.Job.State == resize.JobGoesOn && (len(s.Pods) != 1 || s.Pods[0] == 0):
			wrong = "deletes worker 0, or several"
		case s.Do != resize.AskJob:
		case s.Ask.Suspended || s.Ask.Workers < size:
			left := s.Ask.Workers
			if s.Ask.Suspended {
				left = 0
			}
			for _, p := range o.Pods {
				if o.Agent && p.Index >= resize.Index(left) && p.State != resize.PodTerminating && !p.Draining {
					wrong = "sends a worker away that is not marked"
				}
			}
		}
		if wrong != "" {
			t.Fatalf("seed %d: %s: %+v\nfrom %+v", seed, wrong, s, o)
		}
	}
	for _, do := range []resize.Action{resize.Wait, resize.Over, resize.AskJob, resize.AskCheckpoint, resize.StepAside,
		resize.LetIn, resize.MarkDraining, resize.DeletePods, resize.AddCondition} {
		if seen[do] == 0 {
			t.Errorf("%s never comes up", do)
		}
	}
}

func has(o resize.Observed, t resize.ConditionType) bool {
	for _, c := range o.Record.Conditions {
		if c.Type == t {
			return true
		}
	}
	return false
}

func nonsense(rng *rand.Rand) resize.Observed {
	coin := func() bool { return rng.IntN(2) == 0 }
	moment := func() time.Time {
		switch rng.IntN(8) {
		case 0, 1:
			return time.Time{}
		case 2:
			return dawn.Add(20*time.Minute - time.Duration(rng.IntN(60))*time.Second)
		}
		return dawn.Add(time.Duration(rng.IntN(1200)) * time.Second)
	}
	o := resize.Observed{Now: dawn.Add(20 * time.Minute), Limits: resize.DefaultLimits(), Agent: coin(), Newest: 7}
	r := &o.Record
	r.Epoch, r.From, r.Mode = 7, resize.Workers(rng.IntN(5)), []resize.Mode{resize.Live, resize.Cold}[rng.IntN(2)]
	for r.To = r.From; r.To == r.From; {
		r.To = resize.Workers(rng.IntN(5))
	}
	if r.To > r.From && coin() {
		r.Acceptable = r.To
	}
	for _, c := range []resize.ConditionType{resize.Proposed, resize.Placed, resize.Ready, resize.Committed,
		resize.RollingBack, resize.Restarting, resize.Succeeded} {
		if rng.IntN(len(r.Conditions)+2) == 0 {
			r.Conditions = append(r.Conditions, resize.Condition{Type: c, At: moment(), Reason: "Reason", Message: "Why."})
		}
	}
	r.Placement = resize.Placement{Fits: resize.Workers(rng.IntN(4)), At: moment()}
	o.Job = resize.Job{Workers: 1 + resize.Workers(rng.IntN(5)), Suspended: rng.IntN(4) == 0, Bare: coin(),
		Refused: []string{"", "pods are forbidden"}[rng.IntN(2)], RefusedAnyway: coin()}
	if rng.IntN(5) == 0 {
		o.Job.State = []resize.JobState{resize.JobFinished, resize.JobCutShort, resize.JobFailed,
			resize.JobDeleted}[rng.IntN(4)]
	}
	o.Job.Asked = resize.Ask{Epoch: resize.Epoch(6 + rng.IntN(5)/2),
		Workers: o.Job.Workers, Suspended: o.Job.Suspended,
		Stage: []resize.Stage{resize.Forward, resize.Back, resize.Restart, resize.Halt}[rng.IntN(4)], At: moment()}
	for i := range resize.Index(6) {
		if coin() {
			o.Pods = append(o.Pods, resize.Pod{Index: i, CreatedAt: moment(), BeganAt: moment(),
				MarkedAt: moment(), Heeds: coin(), ToldAside: moment(), HeedsAside: coin(), Aside: moment(),
				Wrapped: coin(), Hindered: rng.IntN(8) == 0, LetIn: coin(), Draining: coin(),
				State: []resize.PodState{resize.PodHeld, resize.PodPending, resize.PodAtBarrier, resize.PodTraining,
					resize.PodFailed, resize.PodTerminating, resize.PodLost}[rng.IntN(7)]})
		}
	}
	o.Checkpoint = resize.Checkpoint{Heard: coin(), AskedAt: moment(), AcknowledgedAt: moment(),
		CompletedAt: moment(), ExpectedAt: moment(), Partly: coin(), Declined: rng.IntN(4) == 0, Impossible: rng.IntN(4) == 0}
	o.Checkpoint.Unread, o.Checkpoint.UnreadAt = coin(), moment()
	for i := range o.Pods {
		o.Pods[i].UnreadAt, o.Pods[i].Unplaced = moment(), coin()
	}
	o.Progress = resize.Progress{SeenAt: moment(), Reported: coin(), AdvancedAt: moment(), StoppedAt: moment(),
		ResumedAt: moment(), Advances: rng.IntN(4)}
	return o
}
