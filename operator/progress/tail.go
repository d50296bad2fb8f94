package progress

import (
	"cmp"
	"strings"
	"time"
)

// A container runtime cuts what is written without a line break into chunks of this length, and
// only the first of them has its time on it.
const chunk = 16 << 10

// newest is how many pieces of one line are looked at.
const newest = 100

// mostEpochs is up to which total a bare "epoch 3" is taken to count to it. Above it, the total is
// one of steps.
const mostEpochs = 1000

// tail makes one sample of the end of a log, read from old to new.
type tail struct {
	// total is what the ElasticJob says that is counted up to; 0 if it does not. Then nothing else
	// is believed.
	total float64
	// work is how much there is to do, as the annotation says.
	work Work

	found  bool
	sample Sample
	// whole says that steps of the whole were seen, against the total that the annotation gives.
	whole bool
	// place is where the training is in its epochs, at first as it was when the log was last read: the
	// line that named the epoch may be long past.
	place
	named bool // a line has named an epoch since
}

// place is the last epoch that was seen, and the last step of it. The zero value knows of no epoch.
type place struct {
	epoch   count
	inEpoch bool // the epoch is known
	step    count
}

// read reads lines as the API server gives them with timestamps; found says whether any of them
// tells progress. What stands behind the last line break may be cut off anywhere, and is left out.
func (t *tail) read(text string) {
	before := t.step
	for line := range strings.Lines(text) {
		whole := strings.HasSuffix(line, "\n")
		stamp, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		at, err := time.Parse(time.RFC3339, stamp)
		if err != nil {
			rest = line
		}
		if len(rest) > chunk {
			at = time.Time{}
		}
		// A bar is drawn over itself: each piece is a state of it, and the last is the newest.
		pieces := strings.FieldsFunc(rest, func(r rune) bool { return r == '\r' || r == '\b' })
		if !whole && len(pieces) > 0 {
			pieces = pieces[:len(pieces)-1]
		}
		pieces = pieces[max(0, len(pieces)-newest):]
		for _, piece := range pieces {
			t.take(readPiece(piece), at)
		}
	}
	if !t.named && t.inEpoch && t.sample.Unit == "epochs" && t.step.done < before.done-t.step.total/2 {
		// The steps have begun anew, and the line that said so has been missed.
		t.epoch.done = max(0, min(t.epoch.done+1, t.epoch.total-1))
		t.tell(count{min(t.epoch.done+t.step.done/t.step.total, t.epoch.total), t.epoch.total}, "epochs", t.sample.At)
	}
}

// take takes what the next piece says.
func (t *tail) take(c counts, at time.Time) {
	if c.saved && !at.IsZero() {
		t.sample.SavedAt = at
	}
	epochs := t.epochs(c)
	if c.hasEpoch {
		t.place, t.named = place{epoch: epochs, inEpoch: epochs.total > 0}, true
	}
	switch {
	case c.hasStep && !c.batches && t.ofWhole(c.step):
		t.whole = t.whole || c.step.total > 0 && t.total == 0 && t.work.in("steps") > 0
		t.tell(count{c.step.done, cmp.Or(t.total, c.step.total, t.work.in("steps"))}, "steps", at)
	case t.whole:
		// An epoch says less than the steps beside it.
	case c.hasStep && c.step.total > 0 && t.inEpoch:
		// The share of the epoch that is done is added to those before it.
		t.step = c.step
		done := t.epoch.done + c.step.done/c.step.total
		t.tell(count{min(done, t.epoch.total), t.epoch.total}, "epochs", at)
	case c.hasEpoch && t.inEpoch:
		done := t.epoch.done
		if c.over {
			done = min(done+1, t.epoch.total)
		}
		t.tell(count{done, t.epoch.total}, "epochs", at)
	}
}

// ofWhole says whether a count of steps is that of the whole training. Where nobody has said how many
// there are in all, steps are those of an epoch as soon as there are epochs.
func (t *tail) ofWhole(step count) bool {
	if t.total > 0 {
		return step.total == t.total || step.total == 0 && step.done <= t.total && !t.inEpoch
	}
	steps := t.work.in("steps")
	switch {
	case steps == 0 && t.work.in("epochs") > 0:
		return false
	case step.total == 0:
		return steps > 0 && step.done <= steps && !t.inEpoch
	case step.total < steps: // so it begins anew, with every epoch or so
		return false
	case steps > 0 && (step.total == steps || t.work.Unit != ""):
		return true
	}
	return !t.inEpoch && t.epoch == (count{})
}

// epochs are those that were over when an epoch was named, of all that there are; of 0 if that is
// not known, or is not what the ElasticJob says.
func (t *tail) epochs(c counts) count {
	e := c.epoch
	if !c.hasEpoch {
		return count{}
	}
	if said := cmp.Or(t.total, t.work.in("epochs")); e.total == 0 && said <= mostEpochs {
		e.total = said
	}
	if !c.zeroBased {
		e.done-- // the epoch that is named has only begun
	}
	if t.total > 0 && e.total != t.total || e.done >= e.total {
		// A number of steps of the whole, or an epoch that cannot be.
		return count{done: 1} // not the zero count: there are epochs
	}
	return count{max(e.done, 0), e.total}
}

func (t *tail) tell(c count, unit string, at time.Time) {
	t.found = true
	t.sample.Done, t.sample.Total, t.sample.Unit, t.sample.At = c.done, c.total, unit, at
}
