package printed

import (
	"bytes"
	"slices"
)

// evaluation is what is known of an evaluation that may go on within the training, in whose words it may count.
type evaluation struct {
	titled bool  // a line has said that it begins, and the training was not heard of since
	counts int   // how many counts were taken for its own
	of     Count // the furthest that the training has counted
}

// longestTitle is how long a line is at most that is the title of an evaluation, and mostOfEvaluation how many counts
// one has at most.
const (
	longestTitle     = 64
	mostOfEvaluation = 128
)

// inTitles are parts of the words in titles.
var inTitles = [][]byte{[]byte("val"), []byte("Val"), []byte("VAL"), []byte("est"), []byte("EST")}

// title takes a line without a number.
func (e *evaluation) title(line []byte) {
	may := func(part []byte) bool { return bytes.Contains(line, part) }
	if len(line) <= longestTitle && slices.ContainsFunc(inTitles, may) && anyOf(string(bytes.ToLower(line)), titles) {
		e.titled, e.counts = true, 0
	}
}

// has says of a count of steps that it is of an evaluation: one was said to begin, and it does not go on where the
// training was.
func (e *evaluation) has(s *seen, training *rival) bool {
	if e.titled = e.titled && !s.resumes; training == nil || training.label != wordsAlone || training.complete() ||
		s.step == nil || s.bar || s.epoch != nil || s.batch != nil || s.whole != nil {
		return false
	}
	if all := training.Count.Total; e.of.Total != all {
		e.of = Count{0, all}
	}
	same := s.step.Total == e.of.Total
	goesOn := (same || s.step.Total == 0) && s.step.Done > e.of.Done
	if goesOn {
		e.of.Done = s.step.Done
	}
	if !e.titled {
		return false
	}
	if e.counts++; goesOn || e.counts > mostOfEvaluation || e.counts == 1 && corrects(*s.step, training.Count) {
		e.titled = false
	}
	return e.titled && !same // another process may still be in the training
}

// corrects says of a count up to another total that it may be that of the training, which has begun anew with another
// number of workers about where it was.
func corrects(c, training Count) bool {
	const back = 0.5
	return c.Total > training.Total/manyTimes && c.Done/c.Total >= back*training.Done/training.Total
}
