package resize_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
)

var dawn = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// world is a job with its controller, its scheduler and its nodes, as far as a
// resize can see them. Its state is what is observed; what may never happen is
// noted as a violation when it happens.
type world struct {
	resize.Observed

	ids            []int // of the pods, in the same order
	nextID         int
	controllerDown bool
	forbidden      bool // pods with the agent are refused
	exceeds        bool // all pods are refused
	admits         int  // so many pods at once are made at most; zero is all of them
	hung           bool
	unread         bool      // nobody can be asked how far it is
	torn           bool      // the process ends while it asks for a checkpoint
	tornAt         time.Time // the moment at which it ends while it tells those who leave to step aside
	refused        bool      // nobody may change the job or its pods
	refusedAt      time.Time // at first
	slow           bool      // a pod that is let in takes a while to notice
	deaf           bool      // a pod that is told something takes a while to hear of it
	undelivered    bool      // what is written on a pod does not reach its agent, which says so
	launched       bool      // what runs the training is to be forgotten, which takes a while
	lastAdvance    time.Time
	met            time.Time // when the workers last met anew
	restarts       int
	deleted        map[int]bool
	violations     []string
}

func newWorld(r resize.Record, agent bool) *world {
	w := &world{deleted: map[int]bool{}, lastAdvance: dawn}
	w.Now, w.Record, w.Agent, w.Newest = dawn, r, agent, r.Epoch
	w.Limits = resize.DefaultLimits()
	w.Job = resize.Job{Workers: max(r.From, 1), Suspended: r.From == 0, Bare: !agent,
		Controller: "training-operator"}
	w.Job.Asked = resize.Ask{Epoch: r.Epoch - 1, Stage: resize.Forward, Workers: w.Job.Workers,
		Suspended: w.Job.Suspended, At: dawn.Add(-time.Hour)}
	w.Progress.Reported, w.Progress.Cadence, w.Progress.Starts = true, time.Second, 30*time.Second
	w.Checkpoint = resize.Checkpoint{Heard: agent, AskedAt: dawn.Add(-11 * time.Minute),
		AcknowledgedAt: dawn.Add(-11 * time.Minute), CompletedAt: dawn.Add(-10 * time.Minute)}
	for i := range resize.Index(r.From) {
		w.create(i, resize.PodTraining)
		p := &w.Pods[len(w.Pods)-1]
		p.CreatedAt, p.LetIn = dawn.Add(-time.Hour), agent
		w.place(p)
	}
	return w
}

func (w *world) create(i resize.Index, s resize.PodState) {
	w.Pods = append(w.Pods, resize.Pod{
		Index: i, State: s, CreatedAt: w.Now.Truncate(time.Second), Wrapped: w.Agent && !w.Job.Bare,
	})
	w.ids = append(w.ids, w.nextID)
	w.nextID++
}

func (w *world) place(p *resize.Pod) { p.Node = fmt.Sprintf("node-%d", p.Index) }

// observe hands over what a process that has just started would see: nothing
// but what can be written down and read again.
func (w *world) observe(t *testing.T) resize.Observed {
	t.Helper()
	if !w.unread {
		w.Progress.SeenAt = w.Now
	}
	w.listen()
	text, err := json.Marshal(w.Observed)
	if err != nil {
		t.Fatal(err)
	}
	var o resize.Observed
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// looked notes on those that are held that a scheduler has looked for nodes for them, in vain.
func (w *world) looked() {
	for i := range w.Pods {
		w.Pods[i].Unplaced = w.Pods[i].State == resize.PodHeld
	}
}

// listen asks the agents what they have read.
func (w *world) listen() {
	if !w.undelivered {
		return
	}
	if w.Checkpoint.Unread {
		w.Checkpoint.UnreadAt = w.Now
	}
	for i := range w.Pods {
		if p := &w.Pods[i]; p.Draining && !p.Heeds {
			p.UnreadAt = w.Now
		}
	}
}

// deliver hands on what was written on pods.
func (w *world) deliver() {
	_, committed := w.Record.First(resize.Committed) // then nobody waits any more for those who step aside
	w.undelivered, w.Checkpoint.Unread = false, false
	for i := range w.Pods {
		p := &w.Pods[i]
		p.Heeds, p.HeedsAside = p.Draining, p.HeedsAside || !p.ToldAside.IsZero() && !committed
		if p.HeedsAside && p.Aside.IsZero() && !w.launched {
			p.Aside = w.Now
		}
	}
}

// carryOut does what the executor does with a step, and can be repeated.
func (w *world) carryOut(s resize.Step) {
	trained := w.trained()
	switch s.Do { //nolint:exhaustive // the others write nothing
	case resize.AskJob:
		w.ask(s)
	case resize.AskCheckpoint:
		w.Checkpoint.AskedAt, w.Checkpoint.Partly = s.AskedAt.Truncate(time.Millisecond), w.torn && s.AskedAt.Equal(w.Now)
		w.Checkpoint.Unread = w.undelivered
	case resize.StepAside:
		tell := s.Pods
		if w.tornAt.Equal(w.Now) {
			tell = tell[:1]
		}
		w.each(tell, func(p *resize.Pod, _ int) {
			p.ToldAside, p.HeedsAside, p.Aside = s.AskedAt.Truncate(time.Millisecond), !w.deaf && !w.undelivered, time.Time{}
			if p.HeedsAside && !w.launched {
				p.Aside = p.ToldAside
			}
		})
	case resize.LetIn:
		w.each(s.Pods, func(p *resize.Pod, _ int) {
			p.LetIn = true
			if p.State == resize.PodAtBarrier && !w.slow {
				p.State = resize.PodTraining
			}
		})
	case resize.MarkDraining:
		w.each(s.Pods, func(p *resize.Pod, _ int) {
			if !p.Draining {
				p.Draining, p.MarkedAt, p.Heeds = true, w.Now, !w.deaf && !w.undelivered
			}
		})
	case resize.DeletePods:
		w.each(s.Pods, w.remove)
	case resize.AddCondition:
		if c := w.Checkpoint; s.Reason == resize.CheckpointNotAcknowledged && c.Unread && !w.hurries() &&
			w.Now.Before(c.AskedAt.Add(w.Limits.CheckpointWithin)) {
			w.violated("it goes on without a checkpoint before the request for one has arrived")
		}
		if !slices.ContainsFunc(w.Record.Conditions, func(c resize.Condition) bool { return c.Type == s.Condition }) {
			at := w.Now
			if !s.Since.IsZero() {
				at = s.Since
			}
			w.Record.Conditions = append(w.Record.Conditions,
				resize.Condition{Type: s.Condition, At: at.Truncate(time.Second), Reason: s.Reason, Message: s.Message})
		}
	}
	w.control()
	w.meet(trained)
}

// hurries says that a node goes, so that there is no time to lose.
func (w *world) hurries() bool { return w.Record.Why == string(elastic.NodeLeaves) }

func (w *world) ask(s resize.Step) {
	size, hearWithin := s.Ask.Workers, w.Limits.AcknowledgeWithin
	if w.undelivered && !w.hurries() {
		hearWithin = w.Limits.CheckpointWithin
	}
	if s.Ask.Suspended {
		size = 0
	} else if size == 0 {
		w.violated("the job is asked for no workers, but not suspended")
	}
	for _, p := range w.Pods {
		if w.Agent && p.Draining && !p.Heeds && p.State == resize.PodTraining && size > 0 &&
			w.Now.Before(p.MarkedAt.Add(hearWithin)) {
			w.violated("worker-%d is sent away before it has heard of it", p.Index)
		}
		proposed, _ := w.Record.First(resize.Proposed)
		if w.Agent && p.HeedsAside && p.Aside.IsZero() && p.State == resize.PodTraining && size > 0 &&
			p.Index >= resize.Index(size) && w.Now.Before(proposed.At.Add(45*time.Second)) {
			w.violated("worker-%d is sent away before the others have forgotten it", p.Index)
		}
		if w.Agent && p.Index >= resize.Index(size) && p.State != resize.PodTerminating && !p.Draining {
			w.violated("worker-%d is sent away without being marked", p.Index)
		}
	}
	w.Job.Workers, w.Job.Suspended, w.Job.Asked = s.Ask.Workers, s.Ask.Suspended, s.Ask
	if s.Reason == resize.AgentNotInstalled {
		w.Job.Bare = true
	}
}

func (w *world) remove(p *resize.Pod, id int) {
	if p.State == resize.PodTerminating {
		return
	}
	if w.deleted[id] {
		w.violated("worker-%d is deleted twice", p.Index)
	}
	if w.Job.Bare && p.Wrapped && p.State != resize.PodTraining {
		p.State = resize.PodTerminating // it has never taken part
		return
	}
	if w.Job.State == resize.JobGoesOn && (p.Index == 0 || !p.Draining) {
		w.violated("worker-%d of a job that goes on is deleted, marked: %t", p.Index, p.Draining)
	}
	w.deleted[id] = true
	p.State = resize.PodTerminating
}

// control is the job's controller: it removes the highest pods, and creates
// those that are missing.
func (w *world) control() {
	w.Job.Refused, w.Job.RefusedAnyway = "", false
	if w.controllerDown || w.Job.State != resize.JobGoesOn {
		return
	}
	if w.exceeds || w.forbidden && !w.Job.Bare {
		w.Job.Refused, w.Job.RefusedAnyway = "pods are forbidden", w.exceeds
		return
	}
	size := resize.Index(w.Job.Workers)
	if w.Job.Suspended {
		size = 0
	}
	there := map[resize.Index]bool{}
	for i := range w.Pods {
		p := &w.Pods[i]
		there[p.Index] = true
		if p.Index >= size {
			p.State = resize.PodTerminating
		}
	}
	for i := range size {
		if !there[i] && !w.Now.Before(w.Job.HeldBack) && (w.admits == 0 || len(w.Pods) < w.admits) {
			w.create(i, resize.PodHeld)
		}
	}
}

// trained lists the pods in the training. When they change, all workers meet
// anew: the training pauses once.
func (w *world) trained() []int {
	var ids []int
	for i, p := range w.Pods {
		if p.State == resize.PodTraining {
			ids = append(ids, w.ids[i])
		}
	}
	slices.Sort(ids)
	return ids
}

func (w *world) meet(before []int) {
	if slices.Equal(before, w.trained()) {
		return
	}
	if len(before) > 0 && len(w.trained()) > 0 && w.met != w.Now {
		w.restarts++
		w.met = w.Now // who comes or goes at the same moment is in the same round
	}
	w.Progress.ResumedAt, w.Progress.Advances = time.Time{}, 0
	w.Progress.StoppedAt, w.Progress.SavedAt = w.lastAdvance, w.Checkpoint.CompletedAt
	if len(before) > 0 {
		w.Progress.BeganAt = w.Progress.TrainsSince
	}
}

func (w *world) advance() {
	if w.hung || w.unread || len(w.trained()) == 0 || !w.Progress.Reported {
		return
	}
	if w.Progress.ResumedAt.IsZero() {
		w.Progress.ResumedAt = w.Now
	}
	w.Progress.Advances++
	w.Progress.AdvancedAt = w.Now
	w.lastAdvance = w.Now
}

// gone lets the pods vanish that are being deleted and that may go.
func (w *world) gone(may func(i int) bool) {
	var pods []resize.Pod
	var ids []int
	for i, p := range w.Pods {
		if p.State != resize.PodTerminating || !may(i) {
			pods, ids = append(pods, p), append(ids, w.ids[i])
		}
	}
	w.Pods, w.ids = pods, ids
	w.control()
}

func (w *world) each(which []resize.Index, do func(*resize.Pod, int)) {
	for i := range w.Pods {
		if slices.Contains(which, w.Pods[i].Index) {
			do(&w.Pods[i], w.ids[i])
		}
	}
}

func (w *world) violated(format string, args ...any) {
	w.violations = append(w.violations, fmt.Sprintf(format, args...))
}

func (w *world) size() resize.Workers {
	if w.Job.Suspended {
		return 0
	}
	return w.Job.Workers
}

func (w *world) String() string {
	pods := slices.SortedFunc(slices.Values(w.Pods), func(a, b resize.Pod) int {
		return cmp.Compare(a.Index, b.Index)
	})
	text := fmt.Sprintf("job, workers %d", w.Job.Workers)
	if w.Job.Suspended {
		text += ", suspended"
	}
	for _, p := range pods {
		text += fmt.Sprintf("; worker-%d %s", p.Index, p.State)
	}
	return text
}
