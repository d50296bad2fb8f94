package main

import "github.com/takt-dev/takt/simulator"

// These are the targets of the simulations. Where a job was late after a promise, none is reached.

func nearBound(r simulator.Result) bool { return r.MetOverBound >= 0.97 && r.LateAfter == 0 }

// learned says that learned speeds do nearly as well as known ones.
func learned(l, oracle simulator.Result) bool { return partOf(l, oracle) >= 0.95 && l.LateAfter == 0 }

func partOf(r, of simulator.Result) float64 { return float64(r.Met) / float64(of.Met) }

// ahead says that the last of some policies is ahead of all others.
func ahead(results []simulator.Result) bool {
	us := last(results)
	for _, r := range results[:len(results)-1] {
		if r.Met >= us.Met {
			return false
		}
	}
	return us.LateAfter == 0
}
