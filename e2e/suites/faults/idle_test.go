package faults

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

var (
	// idleFor is for how long nothing may be written: as long as fifteen rounds of planning, or many more.
	idleFor = extent.Of(30*time.Second, 5*time.Minute)
	// staleAfter is when it is said that a job is silent, and twice that when its work counts as unknown.
	staleAfter = extent.Of(6*time.Second, 20*time.Second)
	// quiet is how long nothing was written when that time begins: all of that has been said by then.
	quiet = 3 * staleAfter
)

// atRest are worlds in which nothing happens, beside those that the scenarios leave.
var atRest = map[string]scenario{
	"a job runs and reports nothing": {play: func(w *world.World) {
		w.Nodes(1, 2)
		w.PyTorchJob("still", job(world.Job{Workers: 2, Min: 2, Suspended: true, Deadline: "200h", Still: true}))
		size(w, "still", 2)
	}},
	"a job waits for GPUs": {play: func(w *world.World) {
		w.Nodes(1, 2)
		w.PlainPod("other", 1)
		w.PyTorchJob("waits", job(world.Job{Workers: 2, Min: 2, Suspended: true, Deadline: "200h"}))
		w.Eventually("it is said why it waits", patience, func() error {
			if w.Job("waits").Status.Message == "" {
				return errors.New("nothing is said")
			}
			return nil
		})
	}},
	"a job is left alone": {play: func(w *world.World) {
		w.Nodes(1, 2)
		w.PyTorchJob("alone", job(world.Job{Queue: "nobody-has-made-it"}))
		w.Eventually("it is said why", patience, func() error {
			return world.Want("verdict", string(w.Job("alone").Status.Verdict), "LeftAlone")
		})
	}},
}

// TestNothingIsWrittenWhileNothingHappens has everything go wrong in each scenario, or in some, and then
// counts what the operator writes for a while in which nobody asks anything of it.
func TestNothingIsWrittenWhileNothingHappens(t *testing.T) {
	t.Parallel()
	var worlds, writes atomic.Int64
	t.Cleanup(func() { t.Logf("%d writes in %v in %d worlds", writes.Load(), idleFor, worlds.Load()) })
	rests := func(name string, s scenario, befall func(*Injector)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			injector := New(1)
			befall(injector)
			own := s.settings
			s.settings = func(o *settings.Settings) {
				o.Progress.StaleAfter.Duration = staleAfter
				if own != nil {
					own(o)
				}
			}
			w := newWorld(t, s, injector)
			s.play(w)
			injector.StopFaults()
			for name, job := range endingOf(w, t).Jobs {
				if w.Running(name) > 0 && w.Job(name).Status.Progress.Source != "" {
					learned(w, job.Kind, name)
				}
			}
			silence(w, t)
			last, since := 0, time.Now()
			w.Eventually("it comes to rest", world.Later, func() error {
				if n := len(injector.Writes()); n != last {
					last, since = n, time.Now()
				}
				if rest := time.Since(since); rest < quiet {
					return fmt.Errorf("the last write was %v ago: %v", rest, injector.Writes()[max(last-1, 0):])
				}
				return nil
			})
			w.Steadily("it writes nothing", idleFor, func() error {
				if all := injector.Writes(); len(all) > last {
					return fmt.Errorf("it has written %v", all[last:])
				}
				return nil
			})
			worlds.Add(1)
			writes.Add(int64(len(injector.Writes()) - last))
		})
	}
	for _, name := range extent.Some(t, slices.Sorted(maps.Keys(scenarios)), 2) {
		rests(name, scenarios[name], everything)
	}
	for _, name := range slices.Sorted(maps.Keys(atRest)) {
		rests(name, atRest[name], func(*Injector) {})
	}
}

// learned lets a job report its progress for some seconds, so that it is known how fast it trains: what its
// last restart has cost is stored with that. Were it to fall silent before, it would be stored minutes later.
func learned(w *world.World, kind, name string) {
	const reports = 20
	before := len(w.History.Of(kind, name))
	w.Eventually("it is known how fast it trains", patience, func() error {
		if n := len(w.History.Of(kind, name)) - before; n < reports {
			return fmt.Errorf("it has reported %d times", n)
		}
		return nil
	})
}

// silence has the trainings say nothing any more, and waits until that is said of all that have told something: how
// long they are given depends on what their pauses were.
func silence(w *world.World, t *testing.T) {
	t.Helper()
	quiet, jobs := endless(), endingOf(w, t).Jobs
	quiet.Silent = true
	for name, job := range jobs {
		w.Trains(job.Kind, name, quiet)
	}
	for name := range jobs {
		if w.Running(name) == 0 || w.Job(name).Status.Progress.Source == "" {
			continue
		}
		w.Eventually(name+" is said to be silent", patience, func() error {
			if said := w.Job(name).Status.Message; !strings.Contains(said, "The last reading of its progress is") {
				return fmt.Errorf("it says %q", said)
			}
			return nil
		})
	}
}
