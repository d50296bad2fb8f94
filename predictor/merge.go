package predictor

import (
	"cmp"
	"slices"
)

// Merge is what both profiles know. The order of the two does not matter, nor how often something
// is merged in: of each run and shape the newest record stays, and of too many the newest.
func Merge(a, b Profile) Profile {
	return Profile{
		Speeds:   newest(slices.Concat(a.Speeds, b.Speeds), sameSpeed, newerSpeed, maxSpeeds),
		Restarts: newest(slices.Concat(a.Restarts, b.Restarts), sameRun, newerRestarts, maxRestartRecords),
		Runs:     newest(slices.Concat(a.Runs, b.Runs), sameWhole, newerWhole, maxRuns),
	}
}

// newest sorts records by key, keeps the newest of each key, and of those the newest most. Newer
// is a total order in which the key decides last, so that ties break the same way everywhere.
func newest[T any](records []T, key, newer func(a, b T) int, most int) []T {
	if len(records) == 0 {
		return nil
	}
	both := func(a, b T) int { return cmp.Or(key(a, b), newer(a, b)) }
	slices.SortFunc(records, both)
	records = slices.CompactFunc(records, func(a, b T) bool { return key(a, b) == 0 })
	if len(records) > most {
		slices.SortFunc(records, func(a, b T) int { return cmp.Or(newer(a, b), key(a, b)) })
		records = records[:most]
		slices.SortFunc(records, key)
	}
	return records
}

func sameSpeed(a, b Speed) int {
	return cmp.Or(
		cmp.Compare(a.Run, b.Run), cmp.Compare(a.Shape.GPU, b.Shape.GPU),
		cmp.Compare(a.Shape.Workers, b.Shape.Workers), cmp.Compare(a.Shape.Nodes, b.Shape.Nodes),
		cmp.Compare(a.Shape.Batch, b.Shape.Batch), cmp.Compare(a.Shape.Servers, b.Shape.Servers),
	)
}

func newerSpeed(a, b Speed) int {
	return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Step, b.Step))
}

func sameWhole(a, b Whole) int { return cmp.Compare(a.Run, b.Run) }

func newerWhole(a, b Whole) int {
	return cmp.Or(cmp.Compare(b.Seen, a.Seen), slices.CompareFunc(a.Took, b.Took, func(a, b Spent) int {
		return cmp.Or(sameSpeed(Speed{Shape: a.Shape}, Speed{Shape: b.Shape}), cmp.Compare(a.Time, b.Time))
	}))
}

func sameRun(a, b RestartRecord) int { return cmp.Compare(a.Run, b.Run) }

func newerRestarts(a, b RestartRecord) int {
	return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(len(b.Costs), len(a.Costs)),
		slices.CompareFunc(a.Costs, b.Costs, func(a, b Cost) int {
			return cmp.Or(cmp.Compare(a.Pause, b.Pause), cmp.Compare(a.Lost, b.Lost))
		}))
}
