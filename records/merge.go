package records

import (
	"cmp"
	"slices"
)

// Limits are how much is kept of the jobs of one namespace.
type Limits struct {
	Count int // of jobs
	Bytes int // of what Encode writes
}

// Merge adds records to those that were kept, and leaves those that ended last, in the order in which they ended. One
// that is there already stays as it is, so that to be told of it again changes nothing; and one that ended before all
// that are kept, when there is no more room, is not kept again. Text is what to store; nil if that is what there was.
func Merge(kept, more []Record, limits Limits) (all []Record, text []byte, err error) {
	known := map[string]bool{}
	for _, r := range kept {
		known[r.UID] = true
	}
	all = slices.Clone(kept)
	for _, r := range more {
		if r.UID != "" && !known[r.UID] {
			known[r.UID] = true
			all = append(all, r.bounded())
		}
	}
	slices.SortStableFunc(all, func(a, b Record) int {
		return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.UID, b.UID))
	})
	all = all[max(0, len(all)-limits.Count):]
	for {
		if sameJobs(all, kept) {
			return all, nil, nil
		}
		text, err = Encode(all)
		if err != nil || len(text) <= limits.Bytes || len(all) == 0 {
			return all, text, err
		}
		all = all[1+len(all)/16:] // several at a time: to pack them all again for each would take long
	}
}

func sameJobs(a, b []Record) bool {
	return slices.EqualFunc(a, b, func(a, b Record) bool { return a.UID == b.UID })
}
