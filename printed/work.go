package printed

// Work is how much a training has to do in all. A zero says nothing.
type Work struct {
	Steps, Epochs float64
	allInOne      bool // the setting is of a framework that counts all epochs in one bar

	passes, runs float64 // through all epochs
	single       bool    // one of these passes alone is gone through

	rounds [planBatches - planEpisodes]float64 // episodes, generations and rounds

	more            float64 // epochs beside these, which are not counted among them yet
	whole           bool    // they are
	ends            bool    // the epochs are up to the end of something, which may be a part: whatever else says it counts
	scheduled       bool    // it is the training itself that says how many epochs there are in the end
	examples, batch float64 // that an epoch goes through, and at each step
	ofEpoch         float64 // steps
	batches         float64 // of the whole, or of something else
}

// withMore counts the epochs beside the others among them, once.
func (w Work) withMore() Work {
	if !w.whole && w.more > 0 && w.Epochs > 0 {
		w.whole, w.Epochs = true, w.Epochs+w.more
	}
	return w
}

// cut says how many epochs there are, where the number of steps ends the last of them before its end; 0 if these are
// too few to be counted.
func (w Work) cut() float64 {
	const least = 0.2 // epochs are told to a hundredth
	if w.Steps == 0 || w.examples == 0 || w.batch == 0 {
		return w.Epochs
	}
	// Steps are whole, and so an epoch may have one more or less than it says.
	switch epochs := w.Steps * w.batch / w.examples; {
	case epochs+w.Epochs*w.batch/w.examples >= w.Epochs:
		return w.Epochs
	case epochs < least:
		return 0
	default:
		return epochs
	}
}

func (w Work) or(other Work) Work {
	w.allInOne = w.allInOne || other.allInOne
	if w.Steps == 0 {
		w.Steps = other.Steps
	}
	if w.Epochs == 0 || w.ends && !other.ends && other.Epochs > 0 {
		w.Epochs, w.whole, w.ends = other.Epochs, w.whole || other.whole, other.ends
	}
	if w.more == 0 {
		w.more = other.more
	}
	if w.passes == 0 {
		w.passes = other.passes
	}
	if w.runs == 0 {
		w.runs = other.runs
	}
	for i := range w.rounds {
		w.rounds[i] = firstOf(w.rounds[i], other.rounds[i])
	}
	w.single = w.single || other.single
	if w.examples == 0 {
		w.examples = other.examples
	}
	if w.batch == 0 {
		w.batch = other.batch
	}
	w.ofEpoch, w.batches = firstOf(w.ofEpoch, other.ofEpoch), firstOf(w.batches, other.batches)
	return w
}

// set takes what a setting says.
func (w *Work) set(of plan, value float64) {
	switch of {
	case planSteps:
		w.Steps = value
	case planEpochs:
		w.Epochs, w.ends = value, false
	case planEpochsOfBar:
		w.Epochs, w.ends, w.allInOne = value, false, true
	case planEndEpoch:
		if w.Epochs == 0 || w.ends {
			w.Epochs, w.ends = value, true
		}
	case planMoreEpochs:
		w.more = value
	case planPasses:
		w.passes = value
	case planRuns:
		w.runs = value
	case planEpisodes, planGenerations, planRounds:
		w.rounds[of-planEpisodes] = value
	case planBatches:
		w.batches = value
	case planScheduled:
		w.Epochs, w.ends, w.scheduled = value, false, true
	case noPlan, planOnePass:
	}
}
