package agent

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/takt-dev/takt/agent/process"
)

const (
	// forgottenAfter is how long torchrun counts on others of which it hears nothing: they are to tell every five seconds
	// that they live, and three times nothing is their end. Those who leave together are not told at the same moment.
	forgottenAfter = (15 + 2) * time.Second
	// endsWithin is how long a training may take to end that leaves, where nobody knows the grace period: torchrun gives
	// it as long.
	endsWithin = 30 * time.Second
	lookAtHeld = 50 * time.Millisecond
	// backend is the rendezvous that forgets who tells it nothing.
	backend = "c10d"
)

// aside is torchrun that is held while all train on, until that of the others has forgotten it. torchrun that is told
// to end either closes the rendezvous for all, so that the containers of the others end as well, or stays a member of
// it until it is forgotten, for which the others wait. One that is forgotten may go on: it joins again when the
// training is restarted.
type aside struct {
	mu        sync.Mutex
	launchers []int
	training  []int         // what they have started
	letGo     chan struct{} // closed once they are held no longer, and then nil
	forgotten bool
	ends      bool // whatever runs is told to end, and is not held any more
}

// stepAside holds torchrun until the others have forgotten it, and lets it go on. A request that comes meanwhile is
// over with the first.
func (e *execution) stepAside() {
	began := time.Now()
	letGo, held := e.aside.hold(e.launchers())
	switch {
	case held:
		return
	case letGo == nil:
		e.run.AsideOver(0)
		return
	}
	forgotten, took := false, time.Duration(0)
	defer func() { e.aside.release(forgotten); e.run.AsideOver(took) }() // also if this fails
	e.say("This worker is to leave. Its torchrun is held for %s, in which it trains on, so that the others forget it and "+
		"go on at once afterwards.", e.forgottenAfter)
	if forgotten = e.trainsFor(e.forgottenAfter, letGo); forgotten {
		took = time.Since(began)
	}
}

// trainsFor waits for so long, and says whether all that torchrun has started still trains then, and it is still held.
func (e *execution) trainsFor(span time.Duration, letGo <-chan struct{}) bool {
	over, look := time.NewTimer(span), time.NewTicker(lookAtHeld)
	defer over.Stop()
	defer look.Stop()
	for {
		select {
		case <-over.C:
			return true
		case <-letGo:
			return false
		case <-e.command.Ended():
			return false
		case <-look.C:
			if !e.aside.whole() {
				return false
			}
		}
	}
}

// launchers are the processes of torchrun that may be held: nobody else waits for them, and others forget them.
func (e *execution) launchers() []int {
	return slices.DeleteFunc(process.Launchers(e.command.Pid()), func(pid int) bool {
		return !forgets(process.Arguments(pid), e.options.Environment) || process.Listens(pid)
	})
}

// forgets says whether torchrun has a rendezvous that forgets who tells it nothing, as soon as is usual.
func forgets(arguments, environment []string) bool {
	by, conf := option(arguments, environment, "rdzv-backend"), option(arguments, environment, "rdzv-conf")
	return by == backend && !strings.Contains(conf, "keep_alive")
}

// option is an option of torchrun, from its command line or its environment.
func option(arguments, environment []string, name string) (value string) {
	variable := "PET_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "="
	for _, v := range environment {
		if set, found := strings.CutPrefix(v, variable); found {
			value = set
		}
	}
	for i, a := range arguments {
		key, set, has := strings.Cut(a, "=")
		if strings.ReplaceAll(key, "_", "-") != "--"+name {
			continue
		}
		if value = set; !has && i+1 < len(arguments) {
			value = arguments[i+1]
		}
	}
	return value
}

// hold stops launchers that have started something. What it gives is closed once they are held no longer; it is nil if
// they are not, and held says whether they were before.
func (a *aside) hold(launchers []int) (letGo <-chan struct{}, held bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	training := process.ChildrenOf(launchers)
	if a.letGo != nil || a.ends || len(training) == 0 {
		return nil, a.letGo != nil
	}
	if !send(launchers, syscall.SIGSTOP) {
		send(launchers, syscall.SIGCONT)
		return nil, false
	}
	a.launchers, a.training, a.letGo, a.forgotten = launchers, training, make(chan struct{}), false
	return a.letGo, false
}

// release lets the launchers go on, if they are held.
func (a *aside) release(forgotten bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.letGo != nil {
		send(a.launchers, syscall.SIGCONT)
		close(a.letGo)
		a.letGo, a.forgotten = nil, forgotten
	}
}

// end has nobody be held from now on: all are told to end.
func (a *aside) end() {
	a.release(false)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ends = true
}

// whole says whether all still run that were started.
func (a *aside) whole() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !slices.ContainsFunc(a.training, func(pid int) bool { return !process.Runs(pid) })
}

// stop holds the launchers for good, if the others have forgotten them and they have not begun anew since: they would
// take the end of what they have started for a reason to meet the others again. It says whether it does.
func (a *aside) stop() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	same := func() bool { return slices.Equal(process.ChildrenOf(a.launchers), a.training) }
	if !a.forgotten || a.ends || !same() {
		return false
	}
	if !send(a.launchers, syscall.SIGSTOP) || !same() {
		send(a.launchers, syscall.SIGCONT)
		return false
	}
	a.ends = true
	return true
}

// leave ends a training that the others have forgotten, as torchrun would: with all processes of its groups. torchrun
// is ended last, and whoever has started that just before, who might start it anew.
func (e *execution) leave() {
	a := &e.aside
	defer func() {
		process.SendGroups(a.training, syscall.SIGKILL)
		if !slices.Contains(a.launchers, e.command.Pid()) {
			e.pass(syscall.SIGTERM)
		}
		send(a.launchers, syscall.SIGKILL)
	}()
	all := process.InGroups(a.training)
	process.SendGroups(a.training, syscall.SIGTERM)
	awaitEnd(all, cmp.Or(e.settings.Grace, endsWithin))
}

// send sends a signal to processes, and says whether all have got it.
func send(to []int, s syscall.Signal) bool {
	all := true
	for _, pid := range to {
		all = syscall.Kill(pid, s) == nil && all
	}
	return all
}
