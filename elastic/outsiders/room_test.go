package outsiders_test

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/outsiders"
)

// A pod that is made anew for one that did not use its room waits for the same, and gets no room again. Once one of
// them finds a node, the others may have theirs.
func TestAPodThatIsMadeAnewWaitsForTheSame(t *testing.T) {
	made := func(id string) outsiders.Pod { return outsiders.Pod{ID: id, Maker: "import"} }
	placed := func(id string) outsiders.Pod { return outsiders.Pod{ID: id, Maker: "import", Placed: true} }
	begin := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	room := &outsiders.Room{}
	for i, step := range []struct {
		after       time.Duration
		roomy, all  []outsiders.Pod
		tells, idle bool
	}{
		{0, []outsiders.Pod{made("1")}, []outsiders.Pod{made("1")}, false, false},
		{time.Minute, nil, nil, false, false}, // it is gone
		{90 * time.Second, []outsiders.Pod{made("2")}, []outsiders.Pod{made("2")}, false, false},
		{2 * time.Minute, []outsiders.Pod{made("2")}, []outsiders.Pod{made("2")}, true, true},
		{150 * time.Second, nil, nil, false, true},
		{3 * time.Minute, nil, []outsiders.Pod{made("3")}, false, true},
		{4 * time.Minute, nil, []outsiders.Pod{placed("3")}, false, false},
		{5 * time.Minute, []outsiders.Pod{made("4")}, []outsiders.Pod{placed("3"), made("4")}, false, false},
		{6 * time.Minute, nil, []outsiders.Pod{placed("3")}, false, false},
		{time.Hour, []outsiders.Pod{made("5")}, []outsiders.Pod{made("5")}, false, false},
	} {
		told := room.Look(within, outsiders.Seen{Now: begin.Add(step.after), All: slices.Values(step.all),
			Waiting: step.roomy, Roomy: step.roomy})
		if got := room.Idle(made("next")); len(told) > 0 != step.tells || got != step.idle {
			t.Errorf("step %d: idle: %t, told: %t; want %t, %t", i, got, len(told) > 0, step.idle, step.tells)
		}
	}
}
