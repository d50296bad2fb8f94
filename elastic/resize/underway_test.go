package resize_test

import (
	"testing"

	"github.com/takt-dev/takt/elastic/resize"
)

// What a planner takes for given up is given up, and nothing else: what is told of a resize that is under way agrees
// with the step that follows if it is withdrawn.
func TestWhatIsNotSettledIsGivenUpWhereItIsWithdrawn(t *testing.T) {
	stop := resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 2, Suspended: true}
	live, cold := resize.Record{Epoch: 7, From: 2, To: 4, Mode: resize.Live}, resize.Record{Epoch: 7, From: 2, To: 4}
	cold.Mode = resize.Cold
	fewer := cold
	fewer.From, fewer.To = 4, 2
	for name, c := range map[string]struct {
		record  resize.Record
		asked   resize.Ask
		has     []resize.ConditionType
		settled bool
		stopped bool
	}{
		"a growth waits for room":         {live, resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 4}, nil, false, false},
		"a restart is decided":            {cold, resize.Ask{}, nil, false, false},
		"it stops to grow":                {cold, stop, []resize.ConditionType{resize.Committed}, false, true},
		"it stops to shrink":              {fewer, stop, []resize.ConditionType{resize.Committed}, true, false},
		"it stops, and nothing tells why": {cold, stop, nil, true, false},
		"it is yet to be told to stop":    {cold, resize.Ask{}, []resize.ConditionType{resize.Committed}, true, false},
		"it is restarted": {cold, stop, []resize.ConditionType{resize.Committed, resize.Restarting}, true,
			false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(c.record, true)
			for _, has := range c.has {
				w.Record.Conditions = append(w.Record.Conditions, resize.Condition{Type: has, At: w.Now})
			}
			o := w.observe(t)
			o.Job.Asked, o.Job.Suspended = c.asked, c.asked.Suspended
			if c.asked.Workers > 0 {
				o.Job.Workers = c.asked.Workers
			}
			under := o.UnderWay()
			if under.Settled != c.settled || under.Stopped != c.stopped {
				t.Errorf("it is under way as %+v, want settled %t and stopped %t", under, c.settled, c.stopped)
			}
			o.Withdrawn = "Others need its GPUs more."
			if step := resize.Next(o); (step.Reason == resize.Withdrawn) == under.Settled {
				t.Errorf("settled is %t, and withdrawn it does: %s, %s", under.Settled, step.Do, step.Reason)
			}
			if !o.UnderWay().Settled {
				t.Error("it is withdrawn, and could be once more")
			}
		})
	}
}
