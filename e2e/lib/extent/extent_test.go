package extent

import (
	"slices"
	"testing"
)

func TestASampleDependsOnTheSeedAndTheTest(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	first := draw(all, 4, 1, "TestA")
	if len(first) != 4 || !slices.IsSorted(first) || len(slices.Compact(slices.Clone(first))) != 4 {
		t.Errorf("%v are not four different ones in their order", first)
	}
	if again := draw(all, 4, 1, "TestA"); !slices.Equal(first, again) {
		t.Errorf("the same seed draws %v and %v", first, again)
	}
	seen := map[int]bool{}
	for seed := range uint64(40) {
		for _, one := range draw(all, 4, seed, "TestA") {
			seen[one] = true
		}
	}
	if len(seen) != len(all) {
		t.Errorf("forty seeds draw %v only", seen)
	}
	if other := draw(all, 4, 1, "TestB"); slices.Equal(first, other) {
		t.Errorf("two tests draw the same: %v", first)
	}
}

func TestALongRunTakesAll(t *testing.T) {
	t.Setenv("TAKT_LONG", "1")
	if got := Some(t, []int{1, 2, 3}, 1); len(got) != 3 || Of(1, 2) != 2 {
		t.Errorf("it takes %v", got)
	}
	t.Setenv("TAKT_LONG", "")
	if got := Some(t, []int{1, 2, 3}, 1); len(got) != 1 || Of(1, 2) != 1 {
		t.Errorf("a short run takes %v", got)
	}
}
