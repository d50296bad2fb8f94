package training

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Every animal of the zoo comes to its end when it should, whether the time passes in one piece or in many.
func TestATrainingWithHabitsEndsInTime(t *testing.T) {
	for _, animal := range habit.Animals() {
		t.Run(animal.Name, func(t *testing.T) {
			spec, err := ParseSpec(Like(animal.Habits, 2).String())
			if err != nil {
				t.Fatal(err)
			}
			takes := spec.Takes(2)
			at := func(share float64) time.Time { return begin.Add(time.Duration(share * float64(takes))) }
			crew := Crew{Workers: 2, Members: "a b"}
			whole := spec.Advance(spec.Change(State{At: begin}, crew, begin), at(1.15))
			parts := spec.Change(State{At: begin}, crew, begin)
			for i := range 1000 {
				parts = spec.Advance(parts, at(1.15*float64(i)/999))
			}
			if early := spec.Advance(spec.Change(State{At: begin}, crew, begin), at(0.85)); early.Outcome != "" {
				t.Errorf("it is over before %v", at(0.85).Sub(begin))
			}
			if whole.Outcome != Finished {
				t.Errorf("after %v it has done %.0f of %.0f steps", at(1.15).Sub(begin), whole.Done, spec.Total)
			}
			if diff := cmp.Diff(whole, parts, cmp.AllowUnexported(habit.Life{})); diff != "" {
				t.Errorf("in many pieces it is another (-one +many):\n%s", diff)
			}
			tells := animal.Tells > 0 || animal.Each
			if told := len(whole.Said) > 0 || whole.Noted != ""; told != tells {
				t.Errorf("it has told anything: %t, want %t", told, tells)
			}
		})
	}
}

func TestATrainingWithHabitsGoesBackToWhatItHasSaved(t *testing.T) {
	cases := map[string]struct {
		change func(*Spec)
		want   float64 // steps; it has done 30 in 3 s, and saves every 2 s
	}{
		"to its checkpoint":                     {func(*Spec) {}, 20},
		"to zero without one":                   {func(s *Spec) { s.Habits.Forgets = true }, 0},
		"nowhere where it saves before it goes": {func(s *Spec) { s.SavesOnStop = true }, 30},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			spec := Spec{
				Total: 1000, Unit: "steps", StepsPerSecond: Measured(10, 20), CheckpointEvery: seconds(2), Habits: &habit.Habits{
					Tells: time.Minute,
				},
			}
			test.change(&spec)
			state := spec.Change(State{At: begin}, Crew{1, "a"}, begin)
			state = spec.Change(state, Crew{2, "a b"}, at(3.01))
			if diff := state.Done - test.want; diff < -0.5 || diff > 0.5 {
				t.Errorf("it goes on from %.1f steps, want %.0f", state.Done, test.want)
			}
			if says := spec.reportOf(state); says.progress != "" || (says.checkpoint == "") != spec.Habits.Forgets {
				t.Errorf("it notes on the job %+v", says)
			}
			if state = spec.Advance(state, at(5)); len(state.Said) != 5 && test.want != 0 {
				t.Errorf("it has told %d times: %v", len(state.Said), state.Said)
			}
		})
	}
}

func TestLogsAreOfTheFirstWorkerAsItIsNow(t *testing.T) {
	named := func(role, index, uid string) *corev1.Pod {
		pod := podNamed(role + "-" + index)
		pod.UID = types.UID(uid)
		return pod
	}
	pods := []*corev1.Pod{named("worker", "10", "c"), named("worker", "2", "b"), named("worker", "1", "a")}
	if got := first(pods); got.UID != "a" {
		t.Errorf("the first worker is %s", got.Name)
	}
	if got := first(append(pods, named("master", "0", "m"))); got.UID != "m" {
		t.Errorf("the first beside a master is %s", got.Name)
	}
	var logs Logs
	logs.write(pods[2], []Line{{begin, "step 1/10"}, {at(1), "step 2/10"}})
	name := types.NamespacedName{Name: "worker-1"}
	if got := logs.Tail(name, 1); got != "2026-11-21T12:00:01Z step 2/10\n" {
		t.Errorf("the end of the log is %q", got)
	}
	logs.write(named("worker", "1", "another"), []Line{{at(2), "step 1/10"}})
	if got := logs.Tail(name, 10); strings.Count(got, "\n") != 1 {
		t.Errorf("the log of a new worker is %q", got)
	}
}
