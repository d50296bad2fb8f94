package resize_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/elastic/resize"
)

// history is a resize in a world where anything may happen. How likely each
// thing is, is drawn once: some worlds are kind, some are hopeless.
type history struct {
	*world
	rng   *rand.Rand
	fate  fate
	trace []string
	moved int // writes
}

type fate struct {
	answers, starts, leaves, saves, trains float64 // per tick
	delivers                               float64 // what is written on pods to their agents, per tick
	room                                   int     // how many pods fit at once
	breaks                                 float64 // a pod or its node, per tick
	hangs                                  float64 // at each change of workers
	stays                                  float64 // a terminating pod never goes
	newer, ends, hand                      time.Duration
	withdrawn                              bool // when there is a newer decision
	end                                    resize.JobState
	handSize                               resize.Workers
}

func newHistory(seed uint64) *history {
	rng := rand.New(rand.NewPCG(seed, 7))
	r := resize.Record{Epoch: 7, From: resize.Workers(rng.IntN(6)), Mode: resize.Live, Why: "Test"}
	for r.To = r.From; r.To == r.From; {
		r.To = resize.Workers(rng.IntN(7))
	}
	if r.To > r.From && rng.IntN(2) == 0 {
		r.Acceptable = r.From + 1 + resize.Workers(rng.IntN(int(r.To-r.From)))
		for size := r.Acceptable; rng.IntN(2) == 0 && size <= r.To; size += 1 + resize.Workers(rng.IntN(2)) {
			r.Sizes = append(r.Sizes, size)
		}
	}
	if rng.IntN(3) == 0 {
		r.Mode = resize.Cold
	}
	often := func() float64 { return []float64{0, .02, .2, .6, 1, 1, 1, 1}[rng.IntN(8)] }
	sometime := func(chance int) time.Duration {
		if rng.IntN(chance) > 0 {
			return 1000 * time.Hour
		}
		return time.Duration(rng.IntN(30)*rng.IntN(30)) * time.Second // rather sooner than later
	}
	h := &history{world: newWorld(r, rng.IntN(4) > 0), rng: rng, fate: fate{
		answers: often(), starts: often(), leaves: often(), saves: often(), trains: often(),
		room: rng.IntN(10), breaks: []float64{0, 0, .003, .02}[rng.IntN(4)], hangs: []float64{0, .3, 1}[rng.IntN(3)],
		stays: []float64{0, 0, 0, .3}[rng.IntN(4)], newer: sometime(4), ends: sometime(6), hand: sometime(8),
		end:      []resize.JobState{resize.JobFinished, resize.JobFailed, resize.JobDeleted}[rng.IntN(3)],
		handSize: resize.Workers(rng.IntN(6)),
	}}
	h.slow, h.launched = rng.IntN(2) == 0, rng.IntN(2) == 0
	h.fate.withdrawn = rng.IntN(2) == 0
	h.Progress.Reported = rng.IntN(4) > 0
	h.controllerDown = rng.IntN(20) == 0
	if rng.IntN(8) == 0 {
		h.admits = 1 + rng.IntN(6)
	}
	h.unread = rng.IntN(16) == 0
	if rng.IntN(3) == 0 {
		h.Checkpoint.ExpectedAt = dawn.Add(time.Duration(rng.IntN(400)) * time.Second)
	}
	h.undelivered, h.fate.delivers = h.Agent && rng.IntN(3) == 0, often()
	return h
}

// tick lets time pass and things happen. A hang lasts until the workers change.
func (h *history) tick() {
	happens := func(p float64) bool { return h.rng.Float64() < p }
	h.Now = h.Now.Add(time.Duration(1+h.rng.IntN(15_000)) * time.Millisecond)
	trained := h.trained()
	answers := happens(h.fate.answers)
	h.schedule(answers)
	for i := range h.Pods {
		p := &h.Pods[i]
		starts, breaks, goes := happens(h.fate.starts), happens(h.fate.breaks), h.rng.IntN(3)
		if p.HeedsAside && p.Aside.IsZero() && answers {
			p.Aside = h.Now
		}
		switch {
		case p.State == resize.PodTerminating:
		case p.State == resize.PodAtBarrier && p.LetIn:
			p.State = resize.PodTraining
		case breaks && p.Node != "":
			p.State = []resize.PodState{resize.PodFailed, resize.PodLost, resize.PodTerminating}[goes]
		case p.State == resize.PodPending && starts && h.Agent:
			p.State = resize.PodAtBarrier
		case p.State == resize.PodPending && starts:
			p.State = resize.PodTraining
		}
	}
	if happens(h.fate.delivers) {
		h.deliver()
	}
	leaves := h.rng.IntN(4) > 0 && happens(h.fate.leaves)
	h.gone(func(i int) bool { return leaves && float64(h.ids[i]%10)/10 >= h.fate.stays })
	if happens(h.fate.saves) && !h.Checkpoint.Unread {
		h.Checkpoint.AcknowledgedAt = h.Now
	}
	if happens(h.fate.saves) {
		h.Checkpoint.CompletedAt = h.Now
	}
	h.people()
	if !slices.Equal(trained, h.trained()) {
		h.hung = happens(h.fate.hangs)
	}
	h.meet(trained)
	if happens(h.fate.trains) {
		h.advance()
	}
}

// schedule places all pods that are held, or says how many would fit.
func (h *history) schedule(answers bool) {
	var held []resize.Index
	for _, p := range h.Pods {
		if p.State == resize.PodHeld {
			held = append(held, p.Index)
		}
	}
	if !answers || len(held) == 0 {
		return
	}
	if len(held) > h.fate.room {
		h.Record.Placement = resize.Placement{Fits: resize.Workers(h.fate.room), At: h.Now.Truncate(time.Second)}
		return
	}
	h.each(held, func(p *resize.Pod, _ int) { p.State = resize.PodPending; h.place(p) })
}

// people change their minds, and jobs come to their ends.
func (h *history) people() {
	passed := h.Now.Sub(dawn)
	if passed > h.fate.newer && h.fate.withdrawn {
		h.Withdrawn = "Others need its GPUs more."
	} else if passed > h.fate.newer {
		h.Newest = 8
	}
	if passed > h.fate.ends {
		h.Job.State = h.fate.end
	}
	if passed > h.fate.hand && h.fate.hand > 0 {
		h.fate.hand = 0 // once
		h.Job.Suspended = h.fate.handSize == 0
		if !h.Job.Suspended {
			h.Job.Workers = h.fate.handSize
		}
		h.control()
	}
}

// mostMoves is far above what any history needs, and far below for ever.
const mostMoves = 60

// live runs the history to its end, or for as long as all limits together
// allow. Before write number crash, the operator dies having written to the
// first of several pods only; a fresh one takes over. No crash for -1.
func (h *history) live(crash int) {
	h.control()
	for h.Now.Sub(dawn) < longest(h.Limits) && h.moved < mostMoves {
		h.listen()
		step := resize.Next(h.Observed)
		if step.Message == "" || step.Reason == "" {
			h.violated("a step without reason or sentence: %+v", step)
		}
		if step.Do == resize.Over {
			return
		}
		if step.Do == resize.Wait {
			if !step.Until.After(h.Now) {
				h.violated("waits until %s, which has passed", step.Until)
			}
			h.tick()
			continue
		}
		h.trace = append(h.trace, fmt.Sprintf("%-8s %s (%s)   %s", h.Now.Sub(dawn), headline(step), step.Reason, h))
		if h.moved == crash {
			crash = -1
			if len(step.Pods) > 1 {
				step.Pods = step.Pods[:1]
			}
			h.write(step)
		}
		h.write(step)
		h.moved++
	}
	h.violated("the resize does not end")
}

func (h *history) write(s resize.Step) {
	if c := s.Cost; c.Pause < 0 || c.Lost < 0 || c != (resize.Cost{}) &&
		(h.Record.From == 0 || s.Do != resize.AddCondition) {
		h.violated("%s has a cost: %+v", headline(s), c)
	}
	before := h.trained()
	h.carryOut(s)
	if !slices.Equal(before, h.trained()) {
		// Drawn from the moment, not from the stream, so that a crash does not
		// change the rest of the history.
		h.hung = rand.New(rand.NewPCG(uint64(h.Now.Unix()), 1)).Float64() < h.fate.hangs
	}
}

// longest is all that a resize may wait for: forward with every size that may
// be settled for, back, and a restart.
func longest(l resize.Limits) time.Duration {
	gather := l.PlaceWithin + l.ReadyWithin
	forward := 7*l.PlaceWithin + gather + l.CheckpointWithin*2 + l.StopWithin + 2*l.StartWithin
	back := l.StopWithin + l.DrainWithin + 2*(gather+l.StartWithin) + 2*l.VerifyWithin
	return forward + 2*back
}

// outcome is what counts in the end.
func (h *history) outcome() string {
	if len(h.Record.Conditions) == 0 {
		return "nothing"
	}
	last := h.Record.Conditions[len(h.Record.Conditions)-1]
	return fmt.Sprintf("%s %s at size %d", last.Type, last.Reason, h.size())
}

// judge checks the end against what was promised.
func (h *history) judge() {
	if len(h.Record.Conditions) == 0 {
		return
	}
	last, r := h.Record.Conditions[len(h.Record.Conditions)-1], h.Record
	size, goesOn := h.size(), h.Job.State == resize.JobGoesOn
	settled := r.Acceptable > 0 && size >= r.Acceptable && size < r.To &&
		(len(r.Sizes) == 0 || slices.Contains(r.Sizes, size))
	switch {
	case !goesOn:
	case last.Type == resize.Succeeded:
		if size != r.To && !settled {
			h.violated("succeeded with %d workers declared", size)
		}
	case last.Type == resize.RolledBack:
		if size != r.From {
			h.violated("rolled back with %d workers declared", size)
		}
	case last.Reason == resize.PodsNotGone && size == r.To && h.controllerDown:
	case last.Reason == resize.PodsNotGone || last.Reason == resize.LeftSuspended:
		if size != 0 {
			h.violated("%s with %d workers declared", last.Reason, size)
		}
	case last.Reason == resize.ChangedByHand || last.Reason == resize.SizeNotAsDecided:
		if size != h.fate.handSize {
			h.violated("what people wanted was %d, declared are %d", h.fate.handSize, size)
		}
	case last.Reason != resize.NoProgress:
		h.violated("failed for no known reason: %s", last.Reason)
	}
	if last.Reason != resize.JobIsDeleted {
		for _, p := range h.Pods {
			if p.State == resize.PodAtBarrier && !p.LetIn && p.Index < resize.Index(size) {
				h.violated("worker-%d is left at the barrier", p.Index)
			}
		}
	}
	kind := r.Mode == resize.Live && r.From > 0 && r.To > r.From && h.Agent && h.fate.breaks == 0
	if kind && last.Type == resize.Succeeded && len(h.deleted) == 0 && h.restarts > 1 && goesOn {
		h.violated("a live growth has cost %d restarts", h.restarts)
	}
	if kind && last.Type == resize.RolledBack && goesOn && h.restarts > 0 &&
		!slices.ContainsFunc(r.Conditions, func(c resize.Condition) bool { return c.Type == resize.Committed }) {
		h.violated("a growth that was not committed has cost %d restarts", h.restarts)
	}
}

// TestStoryHistories lives through thousands of random histories.
func TestStoryHistories(t *testing.T) {
	t.Parallel()
	ends := map[string]int{}
	var longestTime time.Duration
	var mostWrites int
	for _, seed := range extent.Seeds(t, 6000) {
		h := newHistory(seed)
		h.live(-1)
		h.judge()
		if len(h.violations) > 0 {
			t.Fatalf("seed %d, %+v, %+v: %v\n%s\nin the end: %s, %s", seed, h.Record, h.fate, h.violations,
				lines(h.trace), h.outcome(), h)
		}
		last := h.Record.Conditions[len(h.Record.Conditions)-1]
		ends[fmt.Sprintf("%s %s", last.Type, last.Reason)]++
		longestTime, mostWrites = max(longestTime, h.Now.Sub(dawn)), max(mostWrites, h.moved)
	}
	t.Logf("at most %d writes and %s; ends: %v", mostWrites, longestTime, ends)
	for _, end := range []string{
		"Succeeded ProgressSeen", "Succeeded WorkersRunning", "Succeeded AllStopped", "Succeeded JobFinished",
		"RolledBack NothingFits", "RolledBack TooFewFit", "RolledBack NodeLost", "RolledBack PodFailed",
		"RolledBack NotReadyInTime", "RolledBack NoProgress", "RolledBack PodsMissing", "RolledBack NobodyAnswered",
		"RolledBack Superseded",
		"RolledBack Withdrawn",
		"RolledBack JobFinished", "RolledBack JobFailed", "Failed PodsNotGone", "Failed LeftSuspended",
		"Failed NoProgress", "Failed ChangedByHand", "Failed SizeNotAsDecided", "Failed JobDeleted", "Failed JobFailed",
	} {
		if ends[end] == 0 && !testing.Short() {
			t.Errorf("no history ends with %s: the histories are too tame", end)
		}
	}
}

// TestCrashes lets the operator die at each write of a history, half way
// through it. Whoever takes over comes to the same end.
func TestCrashes(t *testing.T) {
	t.Parallel()
	for _, seed := range extent.Seeds(t, 600) {
		whole := newHistory(seed)
		whole.live(-1)
		for crash := range whole.moved {
			h := newHistory(seed)
			h.live(crash)
			h.judge()
			if h.outcome() != whole.outcome() || len(h.violations) > 0 {
				t.Fatalf("seed %d, crash at write %d: %s instead of %s, %v\n%s\nwithout the crash:\n%s", seed, crash,
					h.outcome(), whole.outcome(), h.violations, lines(h.trace), lines(whole.trace))
			}
		}
	}
}

func lines(trace []string) string {
	var text string
	for _, line := range trace {
		text += line + "\n"
	}
	return text
}
