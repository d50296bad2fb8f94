package page

import (
	"slices"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

func TestDeadlinesAreCountedOnce(t *testing.T) {
	s := span{100, 100, 160}
	jobs := []*simulator.Training{
		training("met", 100, 105, 104), training("on the dot", 100, 109, 109), training("late", 100, 119, 120),
		training("never", 100, 160, never), training("far", 100, 161, 120), training("none", 100, never, 110),
		training("past", 90, 99, 120),
	}
	d := newDue(s, jobs, 6)
	if want := []int{2, 0, 0, 0, 0, 0}; !slices.Equal(d.met, want) {
		t.Errorf("met: %v, want %v", d.met, want)
	}
	if want := []int{0, 1, 0, 0, 0, 1}; !slices.Equal(d.missed, want) {
		t.Errorf("missed: %v, want %v", d.missed, want)
	}
	if d.beyond != 2 || d.peak() != 2 {
		t.Errorf("%d beyond, want 2; the peak is %d, want 2", d.beyond, d.peak())
	}
	var missing []bool
	for _, m := range marks(span{100, 105, 160}, jobs) {
		missing = append(missing, m.Missed)
	}
	if want := []bool{false, false, true, true}; !slices.Equal(missing, want) {
		t.Errorf("marks: %v, want %v", missing, want)
	}
}

func TestBarsPointUpOrDown(t *testing.T) {
	d := due{step: 10, met: []int{0, 2}}
	s := span{0, 0, 20}
	for scale, want := range map[float64]string{5: "M10.5 20H19.5V30H10.5Z", -5: "M10.5 30H19.5V40H10.5Z"} {
		if got := d.bars(s, d.met, 30, scale, 20); got != want {
			t.Errorf("scale %v: %s, want %s", scale, got, want)
		}
	}
}
