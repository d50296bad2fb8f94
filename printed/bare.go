package printed

// bareSteps are by which words the training counts its steps, where nothing beside these says how many there are.
type bareSteps struct {
	way    uint64
	done   float64
	stride float64 // the most by which they went on at once
	moves  int
	others int // how many counts in a row were in other words
}

// fewMoves are how often a count goes on at least of which it is known that the training counts so.
const fewMoves = 3

// isOther says of a count that it is in other words than those of the training, and behind it, such as of something
// that is done within a step, or far ahead of it, such as of all that is done within the steps. All are how many there
// are, as a setting says: a bar of so many counts the training, too.
func (b *bareSteps) isOther(s *seen, all float64) bool {
	if s.step == nil || s.step.Total > 0 && s.step.Total != all {
		return false
	}
	way, done := wayOf(s.form, s.text[:min(s.begins, len(s.text))]), s.step.Done
	if s.step.Total > 0 {
		way = wayOf("steps with a total", "")
	}
	if way == b.way {
		if done > b.done {
			b.moves++
			b.stride = max(b.stride, done-b.done)
		}
		b.done, b.others = done, 0
		return false
	}
	const far = 4 // strides
	if b.others++; s.step.Total == 0 && b.moves >= fewMoves && b.others < mostOthers &&
		(done < b.done || done > b.done+far*b.stride) {
		return true
	}
	*b = bareSteps{way: way, done: done}
	return false
}
