package whatif

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/cli/golden"
	"github.com/takt-dev/takt/elastic"
)

func in(d time.Duration) *elastic.Seconds {
	s := elastic.Seconds(golden.Now.Add(d).Unix())
	return &s
}

func TestWhatWouldBe(t *testing.T) {
	sixteen := elastic.GPUs(16)
	for name, test := range map[string]struct {
		job    string
		change Change
	}{
		"later_deadline":  {"team-a/bert", Change{Deadline: in(8 * time.Hour)}},
		"sooner_deadline": {"team-a/resnet", Change{Deadline: in(time.Hour)}},
		"no_deadline":     {"team-a/resnet", Change{BestEffort: true}},
		"fewer_workers":   {"team-a/resnet", Change{Least: 1, Most: 2}},
		"more_gpus":       {"team-a/bert", Change{GPUs: &sixteen}},
		"more_workers":    {"team-a/bert", Change{Least: 1, Most: 16, More: 16, Deadline: in(75 * time.Minute)}},
		"room_for_more":   {"team-b/gpt", Change{More: 16}},
	} {
		t.Run(name, func(t *testing.T) {
			s := golden.Snapshot()
			a, err := Ask(*s, test.job, test.change)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := a.Write(&b); err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, name, b.String())
			if diff := cmp.Diff(golden.Snapshot(), s); diff != "" {
				t.Errorf("the snapshot was changed: -was +is:\n%s", diff)
			}
		})
	}
}

// A change that changes nothing has everything as it is.
func TestNothingElseMakesADifference(t *testing.T) {
	a, err := Ask(*golden.Snapshot(), "team-a/resnet", Change{})
	if err != nil || len(a.Others) != 0 || !cmp.Equal(a.Is, a.Would) {
		t.Errorf("it is %+v (%v)", a, err)
	}
}

func TestWhatCannotBeAskedIsExplained(t *testing.T) {
	for name, test := range map[string]struct {
		job    string
		change Change
		want   string
	}{
		"no such job":       {"team-a/resne", Change{}, "team-a/resne is not planned for"},
		"sizes unknown":     {"team-a/resnet", Change{Least: 1, Most: 16}, "takt.dev/workers: 1-16"},
		"no size so great":  {"team-a/bert", Change{Least: 1, Most: 33}, "with more than 32 workers: ask for no more"},
		"no size between":   {"team-a/resnet", Change{Least: 5, Most: 7}, "ask for one that it may have, 1, 2, 4 or 8"},
		"GPUs that are had": {"team-a/resnet", Change{More: -1}, "jobs hold all but 0 of them"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Ask(*golden.Snapshot(), test.job, test.change); err == nil ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want %q", err, test.want)
			}
		})
	}
}

// Of many sizes only some are predicted: who asks for one between them is answered by the next smaller one.
func TestWhoAsksForASizeBetweenThePredictedOnesIsAnswered(t *testing.T) {
	a, err := Ask(*golden.Snapshot(), "team-a/bert", Change{Least: 1, Most: 31, More: 64, Deadline: in(75 * time.Minute)})
	if err != nil || a.Would.Workers != 16 || a.MayHave != 8 || a.Allow != "1-31" {
		t.Errorf("it would have %d workers, and may have %d: %s (%v)", a.Would.Workers, a.MayHave, a.Allow, err)
	}
}

func TestHowManyGPUsAreNeeded(t *testing.T) {
	s := golden.Snapshot()
	if more, enough := Needs(*s, "team-a/resnet"); more != 0 || !enough {
		t.Errorf("resnet, which is on track, needs %d more (%v)", more, enough)
	}
	more, enough := Needs(*s, "team-a/bert")
	if !enough || more < 1 || more > 8 {
		t.Fatalf("bert needs %d more (%v)", more, enough)
	}
	with := func(gpus elastic.GPUs) elastic.Verdict {
		a, err := Ask(*s, "team-a/bert", Change{More: gpus})
		if err != nil {
			t.Fatal(err)
		}
		return a.Would.Verdict
	}
	if with(more) != elastic.OnTrack || with(more-1) == elastic.OnTrack {
		t.Errorf("with %d more it is %s, with one less %s", more, with(more), with(more-1))
	}
	s.Jobs[1].Deadline = in(time.Minute)
	if more, enough := Needs(*s, "team-a/bert"); enough {
		t.Errorf("for a deadline in a minute, %d more are said to be enough", more)
	}
}
