package printed

import "fmt"

// doubt says why nothing is told although something is counted.
func (r *Reader) doubt() string {
	last, planned := r.seen, r.planned
	switch {
	case r.epochs.isPart:
		return fmt.Sprintf("%g epochs are gone through again and again, and nothing says how often", r.epochs.Total)
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
	case last.batch.Total > 0:
		return fmt.Sprintf("the %g steps of an epoch are counted, and nothing counts the epochs", last.batch.Total)
	case last.bare.Done > 0:
		return fmt.Sprintf("steps are counted, %g at last, and nothing says how many there are in all", last.bare.Done)
	}
	return ""
}
