package progress

import (
	"math"
	"slices"
	"strings"

	"github.com/takt-dev/takt/printed"
)

// beside is what is told beside a sample, as it was read, of how much there is to do: by the annotation, where that
// says more than the source, by the ElasticJob, and else by the command of the worker. A source that counts epochs
// needs no other.
func (r *reading) beside(s Sample) Plan {
	if isEpochs(s.Unit) {
		return Plan{}
	}
	plan := s.Beside
	if w := r.t.Work; w.Total > 0 && w.Unit != "" {
		switch {
		case isEpochs(w.Unit):
			plan.Epochs = w.Total
		case sameUnit(w.Unit, s.Unit) && s.Total < w.Total: // parts of it, if it counts parts
			plan.Epochs = math.Round(w.Total / s.Total)
		}
		return Plan{Epochs: plan.Epochs} // its steps are not those of the sample, which will be in the unit of the annotation
	}
	pod, err := first(r.t)
	if err != nil {
		return plan
	}
	trainer := Trainer(pod, r.t.Container)
	for _, c := range pod.Spec.Containers {
		if c.Name == trainer {
			said := printed.Started(slices.Concat(c.Command, c.Args), environment(c))
			plan = Plan{Epochs: max(plan.Epochs, said.Epochs), Steps: said.Steps}
		}
	}
	if total, err := specTotal(r.t); err == nil && total > s.Total {
		plan.Steps = total
	}
	return plan
}

func isEpochs(unit string) bool { return strings.HasPrefix(unit, "epoch") }
