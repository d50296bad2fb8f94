package main

import (
	"slices"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

// A row in which a job was late after a promise reaches no target, however many deadlines are met.
func TestNoTargetIsReachedWherePromisesAreBroken(t *testing.T) {
	var baseline, kept simulator.Result
	baseline.Met, kept.Met, kept.MetOverBound = 90, 100, 1
	broken := kept
	broken.LateAfter = 1
	for name, reached := range map[string]func(simulator.Result) bool{
		"near the bound": nearBound,
		"learned":        func(r simulator.Result) bool { return learned(r, kept) },
		"ahead":          func(r simulator.Result) bool { return ahead([]simulator.Result{baseline, r}) },
	} {
		if !reached(kept) || reached(broken) {
			t.Errorf("%s: kept: %t, broken: %t", name, reached(kept), reached(broken))
		}
	}
}

// The traces under contention that people have named are measured.
func TestTracesUnderContention(t *testing.T) {
	for _, tr := range []trace{{"t4-195", 32}, {"cluster05", 64}, {"cluster05", 32}, {"cluster01", 64}} {
		if !slices.Contains(contended, tr) {
			t.Errorf("%s is in no table", tr)
		}
	}
}
