package main

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhatTrainingsPrintIsTold(t *testing.T) {
	for name, test := range map[string]struct {
		lines       []string
		overwritten bool
		want        []string
	}{
		"lines": {[]string{"loading", "step 420/1000", "step 421/1000"}, false, []string{"420 of 1000 steps", "421 of 1000 steps"}},
		"a bar": {[]string{" 42%|####      | 420/1000 [00:10<00:15, 38.1it/s]", " 43%|####      | 430/1000 [00:10<00:15, 38.1it/s]"}, true,
			[]string{"420 of 1000 steps", "430 of 1000 steps"}},
		"nothing": {[]string{"loss 3/10", "4/8 GPUs found"}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			g := newGrammar(func(done, total float64, unit string) {
				got = append(got, fmt.Sprintf("%g of %g %s", done, total, unit))
			})
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
		g := newGrammar(func(done, _ float64, _ string) { told, last = told+1, done })
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
