package agent

import (
	"os"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/known"
	"github.com/takt-dev/takt/agent/podinfo"
	"github.com/takt-dev/takt/agent/process"
)

// lookForBarrier is how often it is looked whether the barrier is open. All pods of a resize should start as near to
// the same moment as can be: whoever comes late costs the others another restart.
const lookForBarrier = 50 * time.Millisecond

// barrier holds a training back until the pod is let in.
type barrier struct {
	file    *podinfo.File
	epoch   int64
	index   int // of the worker; -1 if it is not known
	within  time.Duration
	signals <-chan os.Signal
	run     *known.Run
	say     func(format string, args ...any)
}

// wait waits, and says whether the training is to start. If not, a signal has ended the waiting, and exit is what
// it leaves the container with. A worker that is to join others which train already waits on when its time is over:
// they need nobody, and each that came at a moment of its own would have all of them start anew. To end would not help:
// the kubelet starts it again, which counts against the backoffLimit of the job. Any other starts then:
// with an operator that is away for good, nobody would train.
func (b barrier) wait() (exit int, start bool) {
	annotations, err := b.file.Now()
	if annotations == nil {
		b.say("The annotations of this pod cannot be read (%v), so nobody can hold it back, or ask it for a checkpoint. It "+
			"starts at once.", err)
		return 0, true
	}
	if !contract.Wraps(annotations[contract.AgentAnnotation]) || b.open(annotations) {
		return 0, true // nobody expects it to wait, or it is let in already
	}
	b.run.Waiting()
	b.say("It waits to be let in at the start barrier of epoch %d, for %s at most.", b.epoch, b.within)
	began := time.Now()
	limit := time.NewTimer(b.within)
	defer limit.Stop()
	look := time.NewTicker(lookForBarrier)
	defer look.Stop()
	for {
		select {
		case s := <-b.signals:
			if process.Ends(s) {
				b.say("It was told to end (%v) before it was let in. The training was not started.", s)
				return process.ExitOf(s), false
			}
		case <-limit.C:
			if annotations, _ := b.file.Now(); contract.Joins(annotations[contract.GangAnnotation], b.epoch, b.index) {
				b.say("The start barrier of epoch %d was not opened within %s: is takt-operator running? The others train without "+
					"this worker, and would all have to start anew with it, so it waits on.", b.epoch, b.within)
				continue
			}
			b.say("The start barrier of epoch %d was not opened within %s: is takt-operator running? The training starts all "+
				"the same.", b.epoch, b.within)
			return 0, true
		case <-look.C:
			if annotations, _ := b.file.Now(); b.open(annotations) {
				b.say("It was let in after %s.", time.Since(began).Round(100*time.Millisecond))
				return 0, true
			}
		}
	}
}

func (b barrier) open(annotations podinfo.Annotations) bool {
	return contract.Open(annotations[contract.LetInAnnotation], b.epoch)
}
