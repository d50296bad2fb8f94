package known

import (
	"math"
	"testing"
	"time"
)

func TestCountsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, c := range map[string]Count{
		"less than none":      {Done: -1, Unit: "steps"},
		"no number":           {Done: math.NaN(), Unit: "steps"},
		"endless":             {Done: math.Inf(1), Unit: "steps"},
		"an endless total":    {Done: 1, Total: math.Inf(1), Unit: "steps"},
		"more than all":       {Done: 8, Total: 7, Unit: "steps"},
		"without a unit":      {Done: 1},
		"a unit with a quote": {Done: 1, Unit: `steps"} 1`},
		"a long unit":         {Done: 1, Unit: "stepsstepsstepsstepsstepsstepssteps"},
	} {
		t.Run(name, func(t *testing.T) {
			run := NewRun()
			if err := run.Told(Script, c); err == nil || run.View().Source != "" {
				t.Errorf("%v is taken for progress: %v", c, run.View())
			}
		})
	}
}

func TestTheBestSourceIsKept(t *testing.T) {
	all, some := Count{Done: 1, Total: 2, Unit: "steps"}, Count{Done: 1, Unit: "steps"}
	for name, test := range map[string]struct {
		first  Source
		said   Count
		second Source
		then   Count
		want   Source
	}{
		"a better one":             {Output, all, Script, all, Script},
		"a worse one":              {Script, all, Output, all, Script},
		"one that knows the total": {Script, some, Output, all, Output},
		"one that does not":        {Output, all, Script, some, Output},
		"whole percents":           {KubeflowPart, Count{Done: 0.5, Total: 1, Unit: Share}, Output, all, Output},
		"itself, with less to say": {Output, all, Output, some, Output},
		"itself, going back":       {Script, all, Script, Count{Total: 2, Unit: "steps"}, Script},
		"steps without a total last": {KubeflowPart, Count{Done: 0.5, Total: 1, Unit: Share}, MetricsFile, some,
			KubeflowPart},
	} {
		t.Run(name, func(t *testing.T) {
			run := NewRun()
			for _, err := range []error{run.Told(test.first, test.said), run.Told(test.second, test.then)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			want := test.then
			if test.want != test.second {
				want = test.said
			}
			if v := run.View(); v.Source != test.want || v.Progress != want {
				t.Errorf("%v is kept, told by %s", v.Progress, v.Source)
			}
		})
	}
}

func TestARequestIsWantedUntilTheStateIsSaved(t *testing.T) {
	at := time.Unix(1795521600, 0)
	run := NewRun()
	run.SaveOld(5)
	if got := run.SaveWanted(); got != 0 {
		t.Errorf("%d is wanted, which came before the training", got)
	}
	if !run.SaveRead(7) || run.SaveRead(7) || run.SaveRead(6) {
		t.Error("a request is new once, and an older one never")
	}
	run.Saved(at) // before it is answered: that may be another one
	run.SaveAnswered(7, at)
	if got := run.SaveWanted(); got != 7 {
		t.Errorf("%d is wanted, want 7", got)
	}
	next := run.NextSave()
	run.Saved(at.Add(-time.Hour))
	select {
	case <-next:
		t.Error("a checkpoint of before counts as the next one")
	default:
	}
	run.Saved(at.Add(time.Second))
	<-next
	if got := run.SaveWanted(); got != 0 {
		t.Errorf("%d is wanted, which was done", got)
	}
}

func TestWhatOneSourceTellsIsForgottenAlone(t *testing.T) {
	run, all := NewRun(), Count{Done: 2, Total: 2, Unit: "steps"}
	for _, err := range []error{run.Told(MetricsFile, all), run.Told(Output, all)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	run.Forget(Output)
	if v := run.View(); v.Source != MetricsFile || v.Progress != all {
		t.Errorf("%v of %q is left", v.Progress, v.Source)
	}
	run.Forget(MetricsFile)
	if v := run.View(); v.Source != "" || v.Complete() {
		t.Errorf("%v of %q is left", v.Progress, v.Source)
	}
}
