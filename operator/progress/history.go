package progress

import (
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
	mostSwitches = 4
	// mostDoublings bounds how long a source rests that did not answer in time, or had nothing to tell.
	mostDoublings = 4
)

// history is what is remembered of the sources of one job.
type history struct {
	mu     sync.Mutex // held while the job is read
	job    types.UID  // of the job itself
	worker types.UID  // the pod that was last read
	// inherited is the source by which the job was read before anything of this was remembered.
	inherited v1alpha1.ProgressSource
	// current is the source by which the job is read; empty before it has told anything.
	current v1alpha1.ProgressSource
	// failures are those of the current source, in a row.
	failures int
	switches int
	of       map[v1alpha1.ProgressSource]*record
}

// record is what is remembered of one source of a job.
type record struct {
	seen    bool
	done    float64 // as the source counts
	movedAt time.Time
	pace    time.Duration // the longest of the latest times between two advances; zero before there are two
	moved   int           // how often it was seen to advance since it could last have taken the place of the current one
	proven  bool          // it was seen to advance at all

	// A source that does not answer in time, or is watched in vain, rests.
	vain    int
	restsTo time.Time
	err     error // why it did not answer in time; nil if it did
}

func newHistory(job types.UID, inherited v1alpha1.ProgressSource) *history {
	return &history{job: job, inherited: inherited, current: inherited, of: map[v1alpha1.ProgressSource]*record{}}
}

// record is that of a source.
func (h *history) record(source v1alpha1.ProgressSource) *record {
	if h.of[source] == nil {
		h.of[source] = &record{}
	}
	return h.of[source]
}

// meet takes note of the worker that is read now. Another one is another endpoint, and the training may
// have stood still while there was none.
func (h *history) meet(t Target, now time.Time) {
	pod, err := first(t)
	if err != nil || pod.UID == h.worker {
		return
	}
	h.worker = pod.UID
	for _, r := range h.of {
		r.movedAt, r.vain, r.restsTo = now, 0, time.Time{}
	}
}

// saw takes what a source tells, and says whether it has advanced.
func (r *record) saw(done float64, now time.Time) bool {
	before := r.done
	r.done = done
	switch {
	case !r.seen:
		r.seen, r.movedAt = true, now
		return false
	case done <= before: // to go back is not to advance
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
	return r.seen && now.Sub(r.movedAt) >= patience*max(r.pace, every)
}

// rest leaves a source alone: not after the first time, and longer each time that follows.
func (r *record) rest(now time.Time, every time.Duration) {
	if r.vain > 0 {
		r.restsTo = now.Add(every << min(r.vain-1, mostDoublings))
	}
	r.vain++
}

// rise ends the rest of a source.
func (r *record) rise() { r.vain, r.restsTo, r.err = 0, time.Time{}, nil }

func (r *record) rests(now time.Time) bool { return now.Before(r.restsTo) }

// advanced takes that a source has advanced. Where the current one does, those that come after it in the
// order begin anew to outrun it.
func (h *history) advanced(source v1alpha1.ProgressSource) {
	if source != h.current {
		return
	}
	for other, r := range h.of {
		if other != source && !precedes(other, source) {
			r.moved = 0
		}
	}
}

// enough is how often another source must be seen to advance to take the place of the current one.
func (h *history) enough() int { return patience << min(h.switches, mostSwitches) }

// take makes a source the current one.
func (h *history) take(source v1alpha1.ProgressSource) {
	h.failures = 0
	if source == h.current {
		return
	}
	if h.current != "" {
		h.switches++
	}
	h.current = source
	for _, r := range h.of {
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
