package agent

import (
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/process"
)

const (
	// forgottenAfter is how long torchrun counts on others of which it hears nothing: they are to tell every five seconds
	// that they live, and three times nothing is their end. Those who leave together are not told at the same moment.
	forgottenAfter = (15 + 2) * time.Second
	// endsWithin is what a training has left of its grace period at least, and savesWithin one that does something about
	// SIGTERM: it may save its state.
	endsWithin  = 10 * time.Second
	savesWithin = 30 * time.Second
	lookAtHeld  = 100 * time.Millisecond
)

// parting is how a worker leaves a training that goes on without it. torchrun that is told to end either closes the
// rendezvous for all, so that the containers of the others end as well, or stays a member of it for as long as it takes
// to be forgotten, in which the others wait. So it is held while all train on, until the others have forgotten it.
type parting struct {
	held     []int // the launchers
	training []int // what they have started
	now      chan struct{}
	left     *atomic.Bool // that they were ended, which is no failure
}

// parts begins to leave, if the others go on and torchrun can be held; nil if it is told to end as everything is.
func (e *execution) parts() *parting {
	annotations, _ := e.file.Now()
	if !drains(annotations) || annotations[contract.OthersGoOnAnnotation] == "" {
		return nil
	}
	p := &parting{held: process.Launchers(e.command.Pid()), now: make(chan struct{}), left: &e.left}
	p.training = process.ChildrenOf(p.held)
	left, least := e.settings.Grace-e.forgottenAfter, endsWithin
	if slices.ContainsFunc(p.training, func(pid int) bool { return len(process.Catchers(pid, syscall.SIGTERM)) > 0 }) {
		least = savesWithin
	}
	if len(p.training) == 0 || left < least {
		return nil
	}
	if !p.signal(p.held, syscall.SIGSTOP) {
		p.signal(p.held, syscall.SIGCONT)
		return nil
	}
	e.say("The others go on without this worker. It trains with them for %s more, until their torchrun has forgotten its "+
		"own.", e.forgottenAfter)
	e.beside("leaving the others", func() { e.part(p) })
	return p
}

// atOnce has it leave at once.
func (p *parting) atOnce() {
	select {
	case <-p.now:
	default:
		close(p.now)
	}
}

// part ends the training once the others have forgotten it, and its launcher after it. A training that ends by itself
// meanwhile is its launcher's again.
func (e *execution) part(p *parting) {
	forgotten, look := time.NewTimer(e.forgottenAfter), time.NewTicker(lookAtHeld)
	defer forgotten.Stop()
	defer look.Stop()
	for over := false; !over; {
		select {
		case <-forgotten.C:
			over = true
		case <-p.now:
			over = true
		case <-e.command.Ended():
			return
		case <-look.C:
			if !slices.ContainsFunc(p.training, process.Runs) {
				p.signal(p.held, syscall.SIGCONT)
				e.pass(syscall.SIGTERM)
				return
			}
		}
	}
	p.left.Store(true)
	p.signal(p.training, syscall.SIGTERM)
	limit := time.NewTimer(e.settings.Grace) // its node ends it sooner
	defer limit.Stop()
	for ending := true; ending && slices.ContainsFunc(p.training, process.Runs); {
		select {
		case <-look.C:
		case <-limit.C:
			ending = false
		}
	}
	p.signal(p.held, syscall.SIGKILL)
	e.pass(syscall.SIGTERM) // where a shell has started it
}

// signal sends a signal to processes, and says whether all have got it.
func (p *parting) signal(to []int, s syscall.Signal) bool {
	all := true
	for _, pid := range to {
		all = syscall.Kill(pid, s) == nil && all
	}
	return all
}
