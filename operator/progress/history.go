package progress

import (
	"errors"
	"iter"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

const (
	// patience is how often in a row the source of a job may fail to answer before others are tried, how
	// many of its usual advances it may be silent before others are watched, and how often another must
	// advance meanwhile to take its place: one hiccup must not change the source.
	patience = 3
	// mostSwitches bounds how much more patience each change of the source asks for: it doubles.
	mostSwitches = 8
	// seldom is after how many readings without an advance a source gives way to any that advances more
	// often, whatever its own pace.
	seldom = 30
	// doubt is how many times as often a source must advance that tells another share than the current one
	// would by now: it may count something else, such as the steps of an evaluation.
	doubt = 4
	// near is how far two sources of one training may be apart, as a share of the whole.
	near = 0.05
	// mostDoublings bounds how long a source rests that did not answer in time, and mostVain one that was watched in
	// vain.
	mostDoublings = 4
	mostVain      = 6
	// vainPart is for what part of the time that a source has told nothing it is left alone, while no source tells
	// anything: it may begin at any time, as once the training has compiled. mostSilent bounds how long.
	vainPart   = 6
	mostSilent = 8
)

// history is what is remembered of the sources of one job.
type history struct {
	mu      sync.Mutex // held while the job is read
	job     types.UID  // of the job itself
	worker  types.UID  // the pod that was last read
	speaker speaker
	// inherited is the source by which the job was read before anything of this was remembered.
	inherited v1alpha1.ProgressSource
	// current is the source by which the job is read; empty before it has told anything.
	current v1alpha1.ProgressSource
	// failures are those of the current source, in a row.
	failures int
	switches int
	of       [len(order)]*record // nil for those of which there is nothing to remember
}

// record is what is remembered of one source of a job.
type record struct {
	seen    bool
	done    float64 // as the source counts
	share   float64 // of its total
	movedAt time.Time
	first   float64 // the share that was first seen
	firstAt time.Time
	pace    time.Duration // the longest of the latest times between two advances; zero before there are two
	moved   int           // how often it was seen to advance since it could last have taken the place of the current one
	proven  bool          // it was seen to advance at all
	dates   dates

	// A source that does not answer in time, or is watched or asked in vain, rests.
	vain     int
	vainFrom time.Time // since when it was asked in vain; zero if it has told something
	restsTo  time.Time
	err      error // what it answers while it rests; nil if it is not to be asked for anything else
}

func newHistory(job types.UID, inherited v1alpha1.ProgressSource) *history {
	return &history{job: job, inherited: inherited, current: inherited}
}

// record is that of a source, which begins here where there is none.
func (h *history) record(source v1alpha1.ProgressSource) *record {
	at := place(source)
	if h.of[at] == nil {
		h.of[at] = &record{}
	}
	return h.of[at]
}

// known is the record of a source; nil if there is none.
func (h *history) known(source v1alpha1.ProgressSource) *record { return h.of[place(source)] }

// records are those of all sources that have one.
func (h *history) records() iter.Seq2[v1alpha1.ProgressSource, *record] {
	return func(yield func(v1alpha1.ProgressSource, *record) bool) {
		for at, r := range h.of {
			if r != nil && !yield(order[at], r) {
				return
			}
		}
	}
}

// meet takes note of the worker that is read now. Another one is another endpoint, and the training may
// have stood still while there was none.
func (h *history) meet(t Target, now time.Time) {
	pod, err := first(t)
	if err != nil || pod.UID == h.worker {
		return
	}
	h.worker = pod.UID
	for _, r := range h.records() {
		r.movedAt, r.vain, r.restsTo, r.vainFrom = now, 0, time.Time{}, time.Time{}
		r.dates.forget()
	}
}

// saw takes what a source tells, and says whether it has advanced. What goes back begins anew: it may count
// one evaluation after another.
func (r *record) saw(s Sample, now time.Time) bool {
	before := r.done
	r.done, r.share = s.Done, s.Done/s.Total
	switch {
	case !r.seen:
		r.seen, r.movedAt, r.first, r.firstAt = true, now, r.share, now
		return false
	case s.Done < before:
		r.moved = 0
		return false
	case s.Done == before:
		return false
	}
	if r.proven {
		r.pace = max(now.Sub(r.movedAt), r.pace/2)
	}
	r.movedAt, r.proven = now, true
	r.moved++
	return true
}

// quiet says that a source has been silent for several of its usual advances.
func (r *record) quiet(now time.Time, every time.Duration) bool {
	return r.seen && now.Sub(r.movedAt) >= patience*max(every, min(r.pace, seldom*every))
}

// fits says whether another source tells about the share that this one would by now, had it gone on.
func (r *record) fits(other *record, now time.Time) bool {
	if !r.proven {
		return true
	}
	gained := 0.0
	if took := r.movedAt.Sub(r.firstAt); took > 0 {
		gained = max(0, r.share-r.first) * float64(now.Sub(r.movedAt)) / float64(took)
	}
	return other.share >= r.share-near && other.share <= r.share+near+doubt*gained
}

// rest leaves a source alone: not after the first time, and each time that follows for twice as long, so many times.
func (r *record) rest(now time.Time, every time.Duration, most int) {
	if r.vain > 0 {
		r.restsTo = now.Add(every << min(r.vain-1, most))
	}
	r.vain++
}

// askedInVain leaves a source alone for a part of the time that it has told nothing. One that rests goes on resting.
func (r *record) askedInVain(err error, now time.Time, every time.Duration) {
	if r.rests(now) || errors.Is(err, ErrTimeout) || !Passes(err) && !errors.Is(err, ErrNone) {
		return
	}
	if r.vainFrom.IsZero() {
		r.vainFrom = now
	}
	if rest := r.vainRest(now, every); rest >= every {
		r.err, r.restsTo = remembered(err), now.Add(rest)
	}
}

// vainRest is for how long a source is left alone that was asked in vain just now.
func (r *record) vainRest(now time.Time, every time.Duration) time.Duration {
	if r.vainFrom.IsZero() {
		return 0
	}
	return min(now.Sub(r.vainFrom)/vainPart, every<<mostSilent)
}

// rise ends the rest of a source.
func (r *record) rise() { r.vain, r.restsTo, r.err = 0, time.Time{}, nil }

func (r *record) rests(now time.Time) bool { return now.Before(r.restsTo) }

// advanced takes that a source has advanced. Where the current one does, those that come after it in the
// order begin anew to outrun it.
func (h *history) advanced(source v1alpha1.ProgressSource, now time.Time) {
	if source != h.current {
		return
	}
	if byWorker(source) {
		h.speaker.advanced(now)
	}
	for other, r := range h.records() {
		if other != source && !precedes(other, source) {
			r.moved = 0
		}
	}
}

// outrun says whether another source has advanced often enough to take the place of the current one. One that
// comes before it in the order, and advances seldom, never has.
func (h *history) outrun(by v1alpha1.ProgressSource, now time.Time, every time.Duration) bool {
	other, current := h.record(by), h.record(h.current)
	enough := patience << min(h.switches, mostSwitches)
	if !current.fits(other, now) {
		enough *= doubt
	}
	return other.moved >= enough && (other.pace <= seldom*every || current.quiet(now, every))
}

// take makes a source the current one. Those before it in the order that have told nothing yet are asked again after a
// while.
func (h *history) take(source v1alpha1.ProgressSource, now time.Time, every time.Duration) {
	h.failures = 0
	if source == h.current {
		return
	}
	for earlier, r := range h.records() {
		if precedes(earlier, source) && !r.proven && !r.rests(now) {
			r.vain, r.restsTo = 1, now.Add(every)
		}
	}
	if h.current != "" && h.record(h.current).proven {
		h.switches++ // from one that counted
	}
	h.current = source
	for _, r := range h.records() {
		r.moved = 0
	}
	h.record(source).rise()
}

// settled says that there is a source to stay with. An annotation that nobody has seen to advance is
// none, unless the job is known to be as far by it.
func (h *history) settled() bool {
	if h.current == v1alpha1.ProgressAnnotation && h.inherited != h.current && !h.record(h.current).proven {
		return false
	}
	return h.current != "" && h.failures < patience
}
