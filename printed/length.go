package printed

import "math"

// length is how many steps an epoch has, where these are counted and nothing says how many there will be: as many as
// the epoch before had. The zero value knows of none.
type length struct {
	of    string  // the form by which they are counted
	epoch float64 // that the last count was of
	first float64 // count of it
	last  float64
	seen  int // how many

	told float64 // steps of an epoch, as was said
	// accumulated is how many batches there are to a step, as these were said; 0 where that is not known.
	accumulated float64
	steps       float64 // once that was seen
	stride      float64 // the most by which the count has gone on at once
	goesOn      bool    // it goes on from one epoch to the next
	whole       bool    // the epoch was seen from its beginning
	missed      bool    // output was missed since the last count
	others      int     // how many counts in a row were of another form

	closed float64 // the count at which the epoch was said to be over; 0 if it was not
	edged  bool    // first is such a count, or 0, and not that of the first line of the epoch
}

// fewCounts are too few in an epoch to tell how long it is: it may go on for as long as from one of them to the next.
const fewCounts = 3

// mostlyOver is how much of an epoch is over at most before the next one is named.
const mostlyOver = 0.999

// mostSilent are how many counts in a row are of another form before this is the one that goes on.
const mostSilent = 16

// ofAnother says that a count is of another process, which is still in the epoch before.
const ofAnother = -1

// take takes the next count of steps, and says what part of the epoch is over; 0 where that is not known.
func (l *length) take(count float64, form string, epoch float64) float64 {
	if l.others++; l.of == form {
		l.others = 0
	}
	switch {
	case l.of == "" || l.of != form && (epoch > l.epoch+1 || l.others > mostSilent):
		*l = length{of: form, epoch: epoch, first: count, last: count, seen: 1, whole: epoch == 0 && !l.missed, told: l.told,
			accumulated: l.accumulated}
		return l.asTold(count)
	case l.of == form && epoch == l.epoch-1 && count > l.steps/2 && count > l.last:
		return ofAnother
	case l.of != form || epoch == l.epoch-1:
		return 0
	case epoch != l.epoch:
		l.begin(count, epoch)
	case count < l.last:
		return 0 // of a validation, perhaps
	default:
		if count > l.last {
			l.seen++
		}
		l.stride, l.last = max(l.stride, count-l.last), count
		l.missed = false
	}
	over := count
	if l.goesOn {
		over -= l.first
	}
	if l.steps == 0 || l.goesOn && !l.whole {
		return l.asTold(count)
	}
	l.steps = max(l.steps, over)
	return max(0, min(over/l.steps, mostlyOver))
}

// close takes that an epoch is over, of which so many steps were counted at last. Where epochs are named only then, the
// first has begun with the output.
func (l *length) close(count float64, form string, epoch float64) {
	if l.of == "" {
		*l = length{of: form, epoch: epoch, last: count, seen: fewCounts, whole: epoch == 0 && !l.missed, edged: epoch == 0,
			told: l.told, accumulated: l.accumulated}
	}
	if l.of == form && l.epoch == epoch {
		l.closed = count
	}
}

// asTold says what part of the first epoch is over, as it was said how long it is.
func (l *length) asTold(count float64) float64 {
	if l.told == 0 || l.steps > 0 || !l.whole || l.epoch > 0 || count > l.told {
		return 0
	}
	return min(count/l.told, mostlyOver)
}

// accumulate takes that so many batches were gone through in so many steps. Where it is the steps that are counted, an
// epoch has less of them than was said of batches.
func (l *length) accumulate(micro, steps float64) {
	if l.told > 0 && l.of != "" && math.Abs(l.last-steps) < math.Abs(l.last-micro) && l.accumulated == 0 {
		l.accumulated = micro / steps
		l.told /= l.accumulated
	}
}

// resume takes that the next count is one of a training that has gone on from a checkpoint, maybe in an epoch that was
// over.
func (l *length) resume(count, epoch float64) {
	if epoch <= l.epoch {
		l.last = min(l.last, count)
	}
	if epoch < l.epoch && l.steps > 0 {
		if l.goesOn {
			l.first -= (l.epoch - epoch) * l.steps
		}
		l.epoch, l.whole = epoch, true
	}
}

// begin takes the first count of another epoch. If it is the next one, the one before is as long as was counted: as far
// as to where the next begins, or, where it is counted anew, to a stride behind the last count if it begins at 0, and
// perhaps a part of one if it does not.
func (l *length) begin(count, epoch float64) {
	next, first, edged := epoch == l.epoch+1 && !l.missed, count, false
	switch {
	case !next:
	case count <= l.last/2 && l.seen < fewCounts:
	case count <= l.last/2 && count == 0:
		l.steps, l.goesOn = l.last+l.stride, false
	case count <= l.last/2:
		l.steps, l.goesOn = l.last+l.stride/2, false
	case l.closed > 0 && l.whole && l.edged:
		l.steps, l.goesOn, first, edged = l.closed-l.first, true, l.closed, true
	case l.closed > 0 && !l.whole:
		l.steps, l.goesOn, first, edged = l.closed/epoch, true, l.closed, true
	case l.whole:
		l.steps, l.goesOn = count-l.first, true
	case epoch > 0:
		l.steps, l.goesOn = count/epoch, true
	}
	l.epoch, l.first, l.last, l.seen, l.whole, l.missed = epoch, first, count, 1, next, false
	l.closed, l.edged = 0, edged
}
