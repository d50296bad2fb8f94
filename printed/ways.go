package printed

import "slices"

// mostWays are how many ways to name epochs are remembered.
const mostWays = 6

// ways are those in which a training names its epochs: a logger may count them from 0, and a bar from 1.
type ways struct {
	all  [mostWays]way
	used int
	at   int // the one by which an epoch was named at last
}

// way is one of them.
type way struct {
	is       uint64
	fromZero bool // the first epoch is 0, as was seen
	fromOne  bool // the first epoch is 1, as was seen
	zero     bool // one was named 0 by a form of those that count from 1
}

// wayOf is the way of a form behind a word or two.
func wayOf(form, behind string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // of FNV-1a
	is, found := uint64(offset), 0
	for i := range len(form) {
		is = (is ^ uint64(form[i])) * prime
	}
	behind = behind[max(0, len(behind)-labelBytes):]
	for i := len(behind) - 1; i >= 0 && found < 2; i-- {
		switch b := behind[i]; {
		case b >= '0' && b <= '9':
			return is
		case isLetter(b):
			if is = (is ^ uint64(b)) * prime; i == 0 || !isLetter(behind[i-1]) {
				found++
			}
		}
	}
	return is
}

func (w *ways) now() *way { return &w.all[w.at] }

// know says whether an epoch was named in a way before.
func (w *ways) know(is uint64) bool {
	return slices.ContainsFunc(w.all[:w.used], func(way way) bool { return way.is == is })
}

// meet takes that an epoch is named in a way. One that is new names the epoch that is known already, if that is beside
// its number.
func (w *ways) meet(is uint64, named float64, e *epochs) {
	for i := range w.all[:w.used] {
		if w.all[i].is == is {
			w.at = i
			return
		}
	}
	before, fresh := *w.now(), way{is: is}
	if w.used > 0 && (before.fromZero || before.fromOne) {
		fresh.fromZero, fresh.fromOne = before.fromZero, before.fromOne
		zero, one := e.mayBe(named), e.mayBe(named-1)
		if !zero && !one { // the one before is over, though nothing has said so
			zero, one = named == e.Done+1, named == e.Done+2
		}
		if e.placed && (before.fromZero && !zero && one || before.fromOne && !one && zero) {
			fresh.fromZero, fresh.fromOne = zero, one
		}
	}
	if w.used > 0 && !before.fromZero && !before.fromOne && e.placed && e.mayBe(named) && !e.mayBe(named-1) {
		fresh.fromZero = true // as the way before is taken to count from 1
	}
	w.at = min(w.used, mostWays-1)
	w.all[w.at], w.used = fresh, w.at+1
}
