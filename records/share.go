package records

import (
	"cmp"
	"slices"
	"time"
)

// Share is what is kept of the jobs of one namespace, as far as it matters to others.
type Share struct {
	Namespace string
	Last      time.Time // when the last of its jobs ended
	GPUHours  float64   // of all that are kept
}

// ShareOf sums up what is kept of a namespace.
func ShareOf(namespace string, all []Record) Share {
	s := Share{Namespace: namespace}
	for _, r := range all {
		s.GPUHours += r.GPUHours()
		if r.Ended.After(s.Last) {
			s.Last = r.Ended
		}
	}
	return s
}

// Yields is whose records go where there is room for no more namespaces, which may be those of the newcomer. First go
// those of a namespace of which nothing has ended for so long; then those of the fewest GPU hours: whoever makes
// namespaces without end has to train in each of them for longer than others have, to push these out.
func Yields(there []Share, newcomer Share, forgetAfter time.Duration, now time.Time) Share {
	rank := func(s Share) int {
		if now.Sub(s.Last) > forgetAfter {
			return 0
		}
		return 1
	}
	return slices.MinFunc(append(slices.Clone(there), newcomer), func(a, b Share) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.GPUHours, b.GPUHours),
			cmp.Compare(b.Namespace, a.Namespace))
	})
}
