package printed

import "fmt"

// doubt says why nothing is told although something is counted.
func (r *Reader) doubt() string {
	last, planned := r.seen, r.planned
	switch {
	case r.inAll.any && r.goesOn():
		return fmt.Sprintf("%g epochs are over, and steps up to %g go on: nothing says how much these are of the training",
			r.inAll.Total, r.beyond.Total)
	case r.epochs.isPart && r.ofPass && r.epochs.Total == 1:
		return fmt.Sprintf("steps up to %g are gone through again and again, and nothing says how often",
			r.epochs.batch.Total)
	case r.epochs.isPart && r.epochs.parts:
		return fmt.Sprintf("%g epochs are counted behind others that were over: nothing says how many such parts there are",
			r.epochs.Total)
	case r.epochs.isPart && r.epochs.Total == 0:
		return "epochs are gone through again and again, and nothing says how many there are, and how often"
	case r.epochs.isPart:
		return fmt.Sprintf("%g epochs are gone through again and again, and nothing says how often", r.epochs.Total)
	case r.epochs.placed && r.epochs.batch.Total > 0 && planned.Steps > 0:
		return fmt.Sprintf("the steps of an epoch are counted up to %g, and there are %g steps in all: "+
			"nothing says whether these are the same steps", r.epochs.batch.Total, planned.Steps)
	case r.epochs.placed:
		return fmt.Sprintf("epochs are counted, %g of them at last, and nothing says how many there are in all",
			r.epochs.last)
	case last.fraction > 0 && last.step.Total == 0:
		return fmt.Sprintf("epochs are counted, %g of them at last, and nothing says how many there are in all",
			last.fraction)
	case last.step.Total > 0 && r.given.Total > 0:
		return fmt.Sprintf("steps are counted up to %g, and not up to %g", last.step.Total, r.given.Total)
	case last.step.Total > 0 && last.step.Total < r.stepsInAll():
		return fmt.Sprintf("steps are counted up to %g, and there are %g in all: these are a part", last.step.Total,
			r.stepsInAll())
	case last.step.Total > 0 && last.bar && planned.Epochs > 1:
		return fmt.Sprintf("a bar counts up to %g, and there are %g epochs: "+
			"nothing says whether it counts one of them or all", last.step.Total, planned.Epochs)
	case last.step.Total > 0:
		return fmt.Sprintf("steps are counted up to %g, which may be one of several epochs", last.step.Total)
	case last.batches.to.Total > 0:
		return fmt.Sprintf("the %g steps of an epoch are counted, and nothing counts the epochs", last.batches.to.Total)
	case last.bare.Done > 0:
		return fmt.Sprintf("steps are counted, %g at last, and nothing says how many there are in all", last.bare.Done)
	case last.round > 0:
		return fmt.Sprintf("%s are counted, %g of them at last, and nothing says how many there are in all",
			roundNames[last.rounds], last.round)
	}
	return ""
}

// beyond is what goes on in the words of a training where all epochs are over, such as another training.
type beyond struct {
	Count
	moves int
}

func (b *beyond) take(c Count) {
	if c.Total != b.Total {
		*b = beyond{Count: c}
	}
	if c.Done > b.Done {
		b.moves++
	}
	b.Done = c.Done
}

// goesOn says that all epochs are over, and that something went on since that is none of them.
func (r *Reader) goesOn() bool {
	const few = 2
	return r.beyond.moves >= few && r.inAll.Done >= r.inAll.Total
}
