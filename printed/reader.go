package printed

import (
	"slices"
	"time"
)

// Units of a Reading.
const (
	Steps  = "steps"
	Epochs = "epochs"
)

// Reading is how far a training is, as it has printed.
type Reading struct {
	// Done and Total count in Unit, as of At. Unit is empty where nothing is known; Total is 0 where nothing says it, and
	// Doubt is not empty then.
	Done, Total float64
	Unit        string
	At          time.Time
	// Epochs are where it is in its epochs, and Step is the last count of steps, of an epoch or of the whole.
	Epochs, Step Count
	// Doubt says why what was printed is not taken for progress; a part of a sentence. Part says that it was, and that
	// its counter has turned out to count a part of the training.
	Doubt string
	Part  bool
	// Told says how often progress was told, and Saves how often a checkpoint was, at last at SavedAt.
	Told, Saves int
	SavedAt     time.Time
}

// Known says whether it is known how much of the training is done.
func (r Reading) Known() bool { return r.Unit != "" && r.Total > 0 }

// Share is how much of the training is done, from 0 to 1; 0 where that is not known.
func (r Reading) Share() float64 {
	if !r.Known() {
		return 0
	}
	return r.Done / r.Total
}

// Given is what is known of a training besides what it prints. A zero says nothing.
type Given struct {
	// Total is what the training counts up to, in whatever it counts: then nothing else is believed.
	Total float64
	// Work is how much there is to do in all.
	Work
	// Either says that Work is the same number in both units, as it is not known in which it is.
	Either bool
}

// Reader reads how far a training is from what it prints. The zero value is ready, and takes what it is given for the
// output from its beginning. It is not for several goroutines at a time.
type Reader struct {
	split   splitter
	process string // that has written the line
	follow  follow

	given     Given
	commanded Work   // as the command line says
	planned   Work   // as that or the output says
	plannedBy uint64 // the words that have said how many steps there are
	plannedAt int    // how often progress was told when they were said at last

	rivals   rivals
	epochs   epochs
	closings closings
	length   length
	looped   looped
	below    bool // a bar was drawn below another
	table    table
	overBar  overBar
	round    Count // the last of what epochs are gone through in, if there are epochs
	inPass   inPass
	ofPass   bool // steps are counted beside the pass that they are of
	studied  bool // a study of many trainings is over
	title    bool // the last piece has named an epoch, and how many there are, and counted nothing
	steps    told // of the whole
	percent  bool // which are percent
	inAll    told // epochs
	beyond   beyond
	unit     string
	seen     last
	from     from

	evaluation evaluation
	bareSteps  bareSteps

	// Ignite has an engine for the training, and others for its evaluations, which run within that one.
	engine   float64 // the epochs of the first that began
	within   int     // how many others run,
	ofOthers float64 // and the most epochs that one of them has

	told, saves int
	savedAt     time.Time
}

// last is what was last seen of each kind of count, whether it is believed or not.
type last struct {
	step, bare Count   // bare is of steps that nothing says the total of
	batches    batches // of an epoch
	fraction   float64 // of epochs that nothing says the number of
	bareForm   string  // by which bare is counted
	round      float64 // of episodes or the like, which nothing says the number of,
	rounds     plan    // and what they are
	bar        bool    // step is that of a bar with nothing before it
	drawn      bool    // step is that of a bar that stands at 0
	complete   totals
}

// totals are what the last of several counters counted up to.
type totals [4]float64

// take takes a count of one of them. The last that is printed may be a little before the end.
func (t *totals) take(c Count) {
	const nearly = 0.9
	if c.Total > 0 && c.Done > nearly*c.Total && !slices.Contains(t[:], c.Total) {
		copy(t[1:], t[:])
		t[0] = c.Total
	}
}

// Know says what is known besides the output. It may be said again when it has changed.
func (r *Reader) Know(given Given) { r.given = given }

// Plan says how much there is to do where the output does not say it itself, as Command finds it.
func (r *Reader) Plan(work Work) {
	r.commanded = r.commanded.or(work)
	r.planned = r.planned.or(work)
	r.length.told = firstOf(work.ofEpoch, r.length.told)
}

// Missed says that output was missed before what comes next.
func (r *Reader) Missed() {
	r.epochs.missed, r.length.missed, r.rivals.missed = true, true, true
	r.evaluation = evaluation{}
	r.split.rest, r.split.tooLong = r.split.rest[:0], false
}

// Told says how often progress was told by now.
func (r *Reader) Told() int { return r.told }

// Saves says how often the training has told by now that it has saved its state.
func (r *Reader) Saves() int { return r.saves }

// Reading is how far the training is, as far as is known by now.
//
// The unit stays the same once progress was told in it: a training that counts both steps of the whole and epochs is
// told in that of them which was known first, steps before epochs.
func (r *Reader) Reading() Reading {
	now := Reading{Epochs: r.epochs.place(), Step: r.seen.step, Told: r.told, Saves: r.saves, SavedAt: r.savedAt}
	doubt := r.rivals.doubt()
	if doubt == "" && !r.inAll.any && !r.planned.allInOne {
		doubt = r.rivals.cutOff()
	}
	steps := r.steps.any && doubt == ""
	switch {
	case steps && r.inAll.any && r.unit == Epochs && r.given.Steps == 0:
		now.Unit, now.Total, now.At = Epochs, r.inAll.Total, r.steps.at
		now.Done = r.inAll.Total * r.steps.Done / r.steps.Total
	case steps:
		now.Unit, now.Done, now.Total, now.At = Steps, r.steps.Done, r.steps.Total, r.steps.at
	case r.inAll.any && !r.goesOn():
		now.Unit, now.Done, now.Total, now.At = Epochs, r.inAll.Done, r.inAll.Total, r.inAll.at
	default:
		if doubt == "" {
			doubt = r.doubt()
		}
		now.Doubt, now.Part = doubt, r.rivals.part()
		switch {
		case r.epochs.placed && r.epochs.Total == 0:
			now.Unit, now.Done = Epochs, now.Epochs.Done
		case r.seen.fraction > 0:
			now.Unit, now.Done = Epochs, r.seen.fraction
		case r.seen.bare.Done > 0:
			now.Unit, now.Done = Steps, r.seen.bare.Done
		}
		return now
	}
	r.unit = now.Unit
	return now
}
