package progress

import "strings"

// Work is how much there is to do in all, as somebody wrote it on the job. The zero value says nothing.
type Work struct {
	Total float64
	Unit  string // empty if it is not said
}

// workOf is what the annotation of a job says of the whole. A share says nothing of it.
func workOf(t Target) Work {
	total, err := specTotal(t)
	if err != nil {
		return Work{}
	}
	sample, ok := parseAnnotation(t.Annotations[ProgressAnnotation], total)
	if !ok || sample.Unit == Share {
		return Work{}
	}
	return Work{sample.Total, sample.Unit}
}

// in is the whole in a unit; 0 if it is not known in that one.
func (w Work) in(unit string) float64 {
	if unit == "" || w.Unit == "" || sameUnit(unit, w.Unit) {
		return w.Total
	}
	return 0
}

// of is a sample in the unit of the whole, so that another source is not another unit. A source that
// counts the same up to more than the whole ends sooner than it knows; any other tells a share.
func (w Work) of(s Sample) Sample {
	switch {
	case w.Total == 0 || w.Unit == "" && s.Unit != Share:
		return s
	case s.Total > w.Total && sameUnit(s.Unit, w.Unit):
		s.Done = min(s.Done, w.Total)
	default:
		s.Done *= w.Total / s.Total
	}
	s.Total, s.Unit = w.Total, w.Unit
	return s
}

// sameUnit overlooks the plural, and that iterations are steps.
func sameUnit(a, b string) bool { return singular(a) == singular(b) }

func singular(unit string) string {
	unit = strings.TrimSuffix(strings.ToLower(unit), "s")
	if unit == "iteration" || unit == "iter" {
		return "step"
	}
	return unit
}

// planned is what a source that counts in a unit counts up to, where the source itself does not say; 0
// if nobody does.
func planned(t Target, unit string) (float64, error) {
	total, err := specTotal(t)
	if err != nil || total > 0 {
		return total, err
	}
	return t.Work.in(unit), nil
}
