package real

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// A growth whose workers cannot be placed is taken back, and the training never notices: the same processes train on,
// each step as fast as before. Two nodes have room for two workers, whatever GPUs are free, and Takt cannot tell before
// it tries.
func TestRealTrainingDoesNotNoticeAGrowthThatCannotBePlaced(t *testing.T) {
	s := newStage(t)
	j := job{name: "cramped", deadline: 10 * time.Minute, least: 1, most: 4, workers: 2, steps: 120,
		sample: 40 * time.Millisecond, onePerNode: true, suspended: true}
	folder := s.submit(j)
	s.trains(folder, 2)
	var tried v1alpha1.Resize
	s.eventually("a growth is taken back", patience, func() error {
		for _, r := range s.resizes(j.name) {
			if tried = r; r.Spec.To > 2 && r.Status.Reached == v1alpha1.ConditionRolledBack {
				return nil
			}
		}
		return fmt.Errorf("there are %d Resizes", len(s.resizes(j.name)))
	})
	t.Logf("%s: %d to %d is %s", tried.Name, tried.Spec.From, tried.Spec.To, tried.Status.Reached)
	s.eventually("it is done", patience, func() error {
		if history := rounds(records(t, folder)); history[len(history)-1].last < j.steps {
			return fmt.Errorf("it is %s", history[len(history)-1])
		}
		return nil
	})
	all := records(t, folder)
	checkTraining(t, all, j.steps)
	if history := rounds(all); len(history) != 1 {
		t.Errorf("it was started anew: %v", history)
	}
	begun, ended := tried.CreationTimestamp.Time, tried.Ending().LastTransitionTime.Time
	before, meanwhile := []float64{}, []float64{}
	for _, r := range all {
		switch at := time.Unix(0, int64(r.Began*1e9)); {
		case at.Before(begun):
			before = append(before, r.Ended-r.Began)
		case at.Before(ended):
			meanwhile = append(meanwhile, r.Ended-r.Began)
		}
	}
	if len(before) < saveEvery || len(meanwhile) < saveEvery {
		t.Fatalf("%d steps before and %d meanwhile prove little", len(before), len(meanwhile))
	}
	was, is := middle(before), middle(meanwhile)
	t.Logf("a step took %.3f s before, and %.3f s meanwhile", was, is)
	if is > 1.5*was {
		t.Errorf("a step took %.3f s before, and %.3f s while new workers were waited for", was, is)
	}
	usual, longest := longestGap(all, time.Time{}, begun), longestGap(all, begun, ended)
	t.Logf("there was no step for %s at most before, and for %s meanwhile", usual, longest)
	if longest > max(2*usual, fastestRestart) {
		t.Errorf("there was no step for %s while new workers were waited for, and for %s at most before", longest, usual)
	}
}

// fastestRestart is less than any training here takes to start anew.
const fastestRestart = 3 * time.Second

// longestGap is the longest time without the end of a step that reaches into a span.
func longestGap(all []record, from, to time.Time) (longest time.Duration) {
	for i := 1; i < len(all); i++ {
		last, next := time.Unix(0, int64(all[i-1].Ended*1e9)), time.Unix(0, int64(all[i].Ended*1e9))
		if next.After(from) && last.Before(to) {
			longest = max(longest, next.Sub(last))
		}
	}
	return longest
}

func middle(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}
