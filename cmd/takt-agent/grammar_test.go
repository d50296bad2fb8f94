package main

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/takt-dev/takt/agent"
)

func TestWhatTrainingsPrintIsTold(t *testing.T) {
	for name, test := range map[string]struct {
		lines       []string
		overwritten bool
		environment []string
		want        []string
	}{
		"with what the environment says": {
			lines: []string{"Epoch 3: train_loss 0.2"}, environment: []string{"EPOCHS=9"}, want: []string{"3 of 9 epochs"},
		},
		"lines": {
			[]string{"loading", "step 420/1000", "step 421/1000"}, false, nil,
			[]string{"420 of 1000 steps", "421 of 1000 steps"},
		},
		"a bar": {[]string{" 42%|####      | 420/1000 [00:10<00:15, 38.1it/s]",
			" 43%|####      | 430/1000 [00:10<00:15, 38.1it/s]"}, true, nil,
			[]string{"420 of 1000 steps", "430 of 1000 steps"}},
		"a bar of a part": {[]string{"  0%|          | 0/50 [00:00<?, ?it/s]", " 98%|#### | 49/50 [00:10<00:00, 4.9it/s]",
			"100%|#####| 50/50 [00:10<00:00, 4.9it/s]", "  0%|          | 0/50 [00:00<?, ?it/s]",
			"  2%|          | 1/50 [00:00<?, ?it/s]"}, true, nil,
			[]string{"0 of 50 steps", "49 of 50 steps", "50 of 50 steps", "it was of a part"}},
		"steps of a stage": {[]string{"step 48/50", "step 49/50", "step 50/50", "stage done", "step 1/50", "step 2/50"},
			false, nil, []string{"48 of 50 steps", "49 of 50 steps", "50 of 50 steps", "it was of a part"}},
		"nothing": {[]string{"loss 3/10", "4/8 GPUs found"}, false, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			g := newGrammar(agent.Training{Environment: test.environment, Progress: func(done, total float64, unit string) {
				got = append(got, fmt.Sprintf("%g of %g %s", done, total, unit))
			}, OfPart: func() { got = append(got, "it was of a part") }})
			for _, line := range test.lines {
				g.Line([]byte(line), test.overwritten)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q is told, want %q", got, test.want)
			}
		})
	}
}

func TestOfManyLinesSomeAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const seconds, perSecond = 60, 1000
		told, last := 0, 0.0
		g := newGrammar(agent.Training{Progress: func(done, _ float64, _ string) { told, last = told+1, done }})
		for i := range seconds * perSecond {
			g.Line(fmt.Appendf(nil, "step %d/%d", i, seconds*perSecond), false)
			time.Sleep(time.Second / perSecond) //nolint:forbidigo // in a bubble, no time passes
		}
		if most := (atOnce + aSecond*seconds) / telling; told > most+1 || told < most-atOnce/2 {
			t.Errorf("%d lines are read, want about %d", told, most)
		}
		if last < seconds*perSecond-10 {
			t.Errorf("the last that is told is %g of %d", last, seconds*perSecond)
		}
	})
}

func TestACheckpointIsToldOnceItIsWhole(t *testing.T) {
	// A line is printed so many seconds after the one before.
	type line struct {
		after float64
		text  string
	}
	for name, test := range map[string]struct {
		lines []line
		want  []float64 // seconds after the beginning
	}{
		"when the training goes on": {[]line{{0, "step 1/9"}, {5, "Saving model checkpoint to /out/checkpoint-1"},
			{3, "step 2/9"}, {1, "step 3/9"}}, []float64{5}},
		"not while it is written": {[]line{{0, "step 1/9"}, {5, "Saved checkpoint"}, {30, "still writing"}}, nil},
		"with its last line": {
			[]line{{0, "step 1/9"}, {5, "Saving checkpoint"}, {2, "checkpoint saved"}, {2, "step 2/9"}}, []float64{7},
		},
		"after what was printed by then": {
			[]line{{0, "step 1/9"}, {5, "Saving checkpoint"}, {0.1, "step 2/9"}, {0.5, "step 3/9"}, {0.5, "step 4/9"}},
			[]float64{5}},
		"not by the same step again": {[]line{{0, "step 1/9"}, {5, "Saving checkpoint"}, {10, "step 1/9"}}, nil},
		"each of them": {[]line{{0, "saved checkpoint"}, {2, "step 1/9"}, {2, "saved checkpoint"},
			{2, "step 2/9"}, {2, "step 3/9"}}, []float64{0, 4}},
		"not one beside": {
			[]line{{0, "Saving checkpoint asynchronously"}, {2, "step 1/9"}, {2, "step 2/9"}}, nil,
		},
		"not one that fails":       {[]line{{0, "Saving checkpoint failed: disk full"}, {2, "step 1/9"}}, nil},
		"not one that was not one": {[]line{{0, "Restored the saved checkpoint"}, {2, "step 1/9"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var got []float64
				g := newGrammar(agent.Training{
					Progress: func(float64, float64, string) {},
					Saved:    func(at time.Time) { got = append(got, at.Sub(began).Seconds()) },
				})
				for _, line := range test.lines {
					time.Sleep(time.Duration(line.after * float64(time.Second))) //nolint:forbidigo // in a bubble, no time passes
					g.Line([]byte(line.text), false)
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("checkpoints are told at %v s, want %v", got, test.want)
				}
			})
		})
	}
}

// Where a thousand lines a second are printed, four fifths of them are not read.
func TestNoCheckpointIsMissedAmongManyLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const seconds, perSecond = 60, 1000
		saves := 0
		g := newGrammar(agent.Training{Progress: func(float64, float64, string) {}, Saved: func(time.Time) { saves++ }})
		for i := range seconds * perSecond {
			if i%(5*perSecond) == 2*perSecond {
				g.Line([]byte("Saved checkpoint"), false)
			}
			g.Line(fmt.Appendf(nil, "step %d/%d", i, seconds*perSecond), false)
			time.Sleep(time.Second / perSecond) //nolint:forbidigo // in a bubble, no time passes
		}
		if saves != seconds/5 {
			t.Errorf("%d checkpoints are told, want %d", saves, seconds/5)
		}
	})
}
