package training

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var begin = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }

func seconds(s float64) metav1.Duration {
	return metav1.Duration{Duration: time.Duration(s * float64(time.Second))}
}

func TestATrainingAdvancesAsItsWorkersAllow(t *testing.T) {
	type event struct {
		at   float64
		crew Crew
	}
	one, two, other := Crew{1, "a"}, Crew{2, "a b"}, Crew{2, "a c"}
	spec := Spec{
		Total: 1000, Unit: "steps", StepsPerSecond: Measured(10, 20, 0),
		Restart: seconds(2), CheckpointEvery: seconds(5),
	}
	cases := map[string]struct {
		change func(*Spec)
		events []event
		until  float64
		want   State
	}{
		"nobody trains": {until: 10, want: State{At: at(10)}},
		"it starts": {
			events: []event{{0, one}}, until: 2,
			want: State{At: at(2), Crew: one, Resumes: at(2)},
		},
		"it trains and saves": {
			events: []event{{0, one}}, until: 8,
			want: State{At: at(8), Crew: one, Resumes: at(2), Done: 60, MovedAt: at(8), Saved: 50, SavedAt: at(7)},
		},
		"one more, and what was not saved is lost": {
			events: []event{{0, one}, {8, two}}, until: 11,
			want: State{At: at(11), Crew: two, Resumes: at(10), Done: 70, MovedAt: at(11), Saved: 50, SavedAt: at(7)},
		},
		"nothing is lost where it saves before it stops": {
			change: func(s *Spec) { s.SavesOnStop = true },
			events: []event{{0, one}, {8, two}}, until: 11,
			want: State{At: at(11), Crew: two, Resumes: at(10), Done: 80, MovedAt: at(11), Saved: 60, SavedAt: at(8)},
		},
		"a change during a restart is one more restart": {
			events: []event{{0, one}, {8, two}, {9, other}}, until: 12,
			want: State{At: at(12), Crew: other, Resumes: at(11), Done: 70, MovedAt: at(12), Saved: 50, SavedAt: at(7)},
		},
		"as many others are a change too": {
			events: []event{{0, two}, {3, other}}, until: 5,
			want: State{At: at(5), Crew: other, Resumes: at(5), MovedAt: at(3)},
		},
		"the same are none": {
			events: []event{{0, two}, {3, two}}, until: 5,
			want: State{At: at(5), Crew: two, Resumes: at(2), Done: 60, MovedAt: at(5)},
		},
		"it hangs at a size with speed 0": {
			events: []event{{0, Crew{3, "a b c"}}}, until: 100,
			want: State{At: at(100), Crew: Crew{3, "a b c"}, Resumes: at(2)},
		},
		"it ends": {
			change: func(s *Spec) { s.Total, s.CheckpointEvery = 100, metav1.Duration{} },
			events: []event{{0, two}}, until: 60,
			want: State{At: at(60), Crew: two, Resumes: at(2), Done: 100, MovedAt: at(7), Outcome: Finished},
		},
		"it breaks": {
			change: func(s *Spec) { s.FailAt, s.CheckpointEvery = 0.1, metav1.Duration{} },
			events: []event{{0, two}}, until: 60,
			want: State{At: at(60), Crew: two, Resumes: at(2), Done: 100, MovedAt: at(7), Outcome: Broken},
		},
		"nobody who comes after the end matters": {
			change: func(s *Spec) { s.Total, s.CheckpointEvery = 100, metav1.Duration{} },
			events: []event{{0, two}, {10, one}}, until: 60,
			want: State{At: at(60), Crew: two, Resumes: at(2), Done: 100, MovedAt: at(7), Outcome: Finished},
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			spec := spec
			if test.change != nil {
				test.change(&spec)
			}
			state := State{At: begin}
			for _, e := range test.events {
				state = spec.Change(state, e.crew, at(e.at))
			}
			state = spec.Advance(state, at(test.until))
			if diff := cmp.Diff(test.want, state); diff != "" {
				t.Errorf("the training is not as wanted (-want +got):\n%s", diff)
			}
		})
	}
}

// Whoever looks more often must not see another training.
func TestLookingDoesNotChangeATraining(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		spec := Spec{
			Total: 50 + 500*random.Float64(), StepsPerSecond: Speed{Base: 5, Scaling: random.Float64()},
			Restart: seconds(3 * random.Float64()), CheckpointEvery: seconds(4 * random.Float64()),
		}
		rarely, often := State{At: begin}, State{At: begin}
		now := 0.0
		for range 5 {
			now += 20 * random.Float64()
			crew := Crew{1 + random.IntN(4), string(rune('a' + random.IntN(3)))}
			for looks := range 7 {
				often = spec.Advance(often, at(now*float64(looks)/7))
			}
			rarely, often = spec.Change(rarely, crew, at(now)), spec.Change(often, crew, at(now))
			if math.Abs(rarely.Done-often.Done) > 1e-3 || math.Abs(rarely.Saved-often.Saved) > 1e-3 ||
				rarely.Outcome != often.Outcome {
				t.Fatalf("%v: looked at often it is\n%+v\nand else\n%+v", spec, often, rarely)
			}
			if often.Saved > often.Done || often.Done > spec.Total {
				t.Fatalf("%v: more is saved than done, or more done than there is: %+v", spec, often)
			}
		}
	}
}

func TestAReportIsMadeWhenTheTrainingMoves(t *testing.T) {
	spec := Spec{Total: 1000, Unit: "steps"}
	cases := map[string]struct {
		change func(*Spec)
		state  State
		want   report
	}{
		"nothing yet": {},
		"moves": {
			state: State{Done: 420.7, MovedAt: at(1.5)}, want: report{progress: "420/1000 steps at 2026-11-21T12:00:01.5Z"},
		},
		"saved": {
			state: State{Done: 1, MovedAt: at(1), SavedAt: at(0.5)},
			want:  report{"1/1000 steps at 2026-11-21T12:00:01Z", "2026-11-21T12:00:00.5Z"},
		},
		"total unknown": {
			change: func(s *Spec) { s.HideTotal = true }, state: State{Done: 2, MovedAt: at(1)},
			want: report{progress: "2 steps at 2026-11-21T12:00:01Z"},
		},
		"silent": {change: func(s *Spec) { s.Silent = true }, state: State{Done: 2, MovedAt: at(1), SavedAt: at(1)}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			spec := spec
			if test.change != nil {
				test.change(&spec)
			}
			if got := spec.reportOf(test.state); got != test.want {
				t.Errorf("it reports %q, want %q", got, test.want)
			}
		})
	}
}

func TestAnotherPlayerGoesOnFromTheReport(t *testing.T) {
	spec := Spec{Total: 1000, Unit: "steps"}
	says := spec.reportOf(State{Done: 420.7, MovedAt: at(1), SavedAt: at(0.5)})
	got := resumed(map[string]string{ProgressAnnotation: says.progress, CheckpointAnnotation: says.checkpoint}, at(9))
	want := State{At: at(9), Done: 420, Saved: 420, SavedAt: at(0.5)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
