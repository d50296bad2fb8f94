package known

import (
	"sync"
	"time"

	"github.com/takt-dev/takt/agent/contract"
)

// View is all of it at one moment. A zero value is of something that is not known.
type View struct {
	Pod      string // its UID
	Source   Source
	Progress Count
	SavedAt  time.Time

	Waiting   bool
	StartedAt time.Time
	Draining  bool

	SavePossible bool
	SaveRead     contract.Request
	SaveAnswered contract.Request
	AnsweredAt   time.Time
	SaveDeclined contract.Request

	AsideRead contract.Request
	AsideOver contract.Request
	AsideTook time.Duration

	Lines, LinesSkipped uint64
}

// Complete says whether all of the training is known to be done.
func (v View) Complete() bool { return v.Progress.Total > 0 && v.Progress.Done >= v.Progress.Total }

// Run is the life of one training.
type Run struct {
	mu    sync.Mutex
	view  View
	saved chan struct{} // closed by the next checkpoint
	tells bool          // the script tells its checkpoints itself
	old   contract.Request
}

// NewRun knows nothing yet.
func NewRun() *Run { return &Run{saved: make(chan struct{})} }

// View is what is known now.
func (r *Run) View() View {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.view
}

func (r *Run) change(how func(*View)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	how(&r.view)
}

// In notes the pod that it is in.
func (r *Run) In(pod string) { r.change(func(v *View) { v.Pod = pod }) }

// Saved notes that the training has saved its state. A checkpoint that is told late takes nothing back.
func (r *Run) Saved(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at.After(r.view.SavedAt) {
		r.view.SavedAt = at
		close(r.saved)
		r.saved = make(chan struct{})
	}
}

// SavedByScript notes that the script itself tells that it has saved its state.
func (r *Run) SavedByScript(at time.Time) {
	r.mu.Lock()
	r.tells = true
	r.mu.Unlock()
	r.Saved(at)
}

// SavedAsPrinted notes that the training has printed so. A script that tells it itself knows better.
func (r *Run) SavedAsPrinted(at time.Time) {
	r.mu.Lock()
	tells := r.tells
	r.mu.Unlock()
	if !tells {
		r.Saved(at)
	}
}

// NextSave is closed once the training has saved its state again.
func (r *Run) NextSave() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.saved
}

// Waiting notes that the agent waits at the barrier.
func (r *Run) Waiting() { r.change(func(v *View) { v.Waiting = true }) }

// Started notes that the training was started.
func (r *Run) Started(at time.Time) {
	r.change(func(v *View) { v.Waiting, v.StartedAt = false, at })
}

// Draining notes whether the training is to leave.
func (r *Run) Draining(leaves bool) { r.change(func(v *View) { v.Draining = leaves }) }

// SavePossible notes that somebody can be asked for a checkpoint.
func (r *Run) SavePossible() { r.change(func(v *View) { v.SavePossible = true }) }

// SaveRead notes a request for a checkpoint, and says whether it is newer than all before.
func (r *Run) SaveRead(request contract.Request) (newer bool) {
	r.change(func(v *View) { newer = read(&v.SaveRead, request) })
	return newer
}

// read keeps a request if it is newer than the one before, and says whether it is.
func read(newest *contract.Request, request contract.Request) (newer bool) {
	newer = request > *newest
	*newest = max(*newest, request)
	return newer
}

// SaveAnswered notes that a request was handed to the training.
func (r *Run) SaveAnswered(request contract.Request, at time.Time) {
	r.change(func(v *View) {
		if request > v.SaveAnswered {
			v.SaveAnswered, v.AnsweredAt = request, at
		}
	})
}

// SaveDeclined notes that a request could not be handed to anybody.
func (r *Run) SaveDeclined(request contract.Request) {
	r.change(func(v *View) { v.SaveDeclined = max(v.SaveDeclined, request) })
}

// SaveOld notes the request that was there before the training was started: it had nothing to save yet.
func (r *Run) SaveOld(request contract.Request) {
	r.SaveRead(request)
	r.SaveDeclined(request)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.old = max(r.old, request)
}

// SaveWanted is the request that a script which asks is told: the newest that was read, until the
// state was saved after it was answered. It is 0 where there is none, or it came before the training.
func (r *Run) SaveWanted() contract.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := &r.view
	done := v.SaveAnswered >= v.SaveRead && v.SavedAt.After(v.AnsweredAt)
	if done || v.SaveRead <= r.old {
		return 0
	}
	return v.SaveRead
}

// AsideRead notes a request to step aside, and says whether it is newer than all before.
func (r *Run) AsideRead(request contract.Request) (newer bool) {
	r.change(func(v *View) { newer = read(&v.AsideRead, request) })
	return newer
}

// AsideOver notes that all requests to step aside are over, and how long it took until the others had forgotten it; 0
// if they have not, or there was nothing to forget.
func (r *Run) AsideOver(took time.Duration) {
	r.change(func(v *View) { v.AsideOver, v.AsideTook = v.AsideRead, took })
}

// Printed notes how many lines of output there were, and how many of them nobody looked at.
func (r *Run) Printed(lines, skipped uint64) {
	r.change(func(v *View) { v.Lines, v.LinesSkipped = v.Lines+lines, v.LinesSkipped+skipped })
}
