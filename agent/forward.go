package agent

import (
	"os"
	"syscall"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/podinfo"
	"github.com/takt-dev/takt/agent/process"
)

// graceShare is the part of the grace period in which a checkpoint is waited for. The rest is the training's, to end
// as it would have.
const graceShare = 2

// forward passes signals on until the training has ended.
func (e *execution) forward() {
	var term *lastSave
	for {
		select {
		case <-e.command.Ended():
			return
		case <-term.over():
			e.pass(syscall.SIGTERM)
			term = term.end()
		case s := <-e.signals:
			e.toldToEnd = e.toldToEnd || s == syscall.SIGTERM
			switch {
			case !process.Forwarded(s), e.options.First && !e.command.Heeds(s):
			case e.leaves: // as it was told
			case s == syscall.SIGTERM && term == nil && e.savesAtEnd():
				e.aside.end()
				term = e.askForLastSave()
			case s == syscall.SIGTERM && drains(e.annotations()) && e.aside.stop():
				e.leaves = true
				e.say("The others have forgotten this worker: its training is told to end, and its torchrun ends with it.")
				e.beside("leaving", e.leave)
			default:
				e.pass(s)
				if s == syscall.SIGTERM {
					term = term.end() // whoever says it twice does not want to wait
				}
			}
		}
	}
}

// annotations are those that are on the pod now.
func (e *execution) annotations() podinfo.Annotations {
	annotations, _ := e.file.Now()
	return annotations
}

// pass sends a signal to the command, which is held no longer.
func (e *execution) pass(s os.Signal) {
	if process.Ends(s) {
		e.aside.end()
	}
	e.aside.release(false)
	if err := e.command.Signal(s); err != nil {
		e.say("The training cannot be sent %v: %v.", s, err)
	}
}

// savesAtEnd says whether the training is asked for a checkpoint before it is told to end. One that leaves in a resize
// has been asked already, and one whose grace period nobody knows may not live to hear SIGTERM.
func (e *execution) savesAtEnd() bool {
	return e.settings.Grace > 0 && e.run.View().SavePossible && !drains(e.annotations())
}

// lastSave waits for a checkpoint before the training is told to end.
type lastSave struct {
	ended chan struct{}
	stop  chan struct{}
}

// over is closed once it is waited no longer. A nil lastSave is never over.
func (f *lastSave) over() <-chan struct{} {
	if f == nil {
		return nil
	}
	return f.ended
}

// end ends the waiting. There is no second one.
func (f *lastSave) end() *lastSave {
	if f != nil && f.stop != nil {
		close(f.stop)
	}
	return &lastSave{}
}

// askForLastSave asks for a checkpoint, since the pod is to end: its node goes, or somebody needs the room.
func (e *execution) askForLastSave() *lastSave {
	f := &lastSave{ended: make(chan struct{}), stop: make(chan struct{})}
	within := e.settings.Grace / graceShare
	e.say("The pod is to end. The training is asked for a checkpoint first, and has %s at most to save its state.", within)
	limit := time.NewTimer(within)
	asked := time.Now()
	refused := make(chan struct{})
	request := max(contract.RequestAt(time.Now()), e.run.View().SaveRead+1)
	e.run.SaveRead(request)
	e.beside("asking for a checkpoint", func() {
		if !e.ask(request) {
			close(refused)
		}
	})
	go func() {
		defer close(f.ended)
		defer limit.Stop()
		for {
			saved := e.run.NextSave()
			if e.run.View().SavedAt.After(asked) { // one that was begun before may be told late
				return
			}
			select {
			case <-saved:
			case <-refused:
				return
			case <-limit.C:
				return
			case <-f.stop:
				return
			}
		}
	}()
	return f
}
