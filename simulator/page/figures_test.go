package page

import (
	"slices"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

func TestFiguresNameTheBest(t *testing.T) {
	effort := 7200.0
	runs := []Run{
		{Result: simulator.Result{Figures: simulator.Figures{Met: 12345, Declined: 1}, GPUHoursLost: 3.4,
			Decision: simulator.Millis{P99: 0.001}}},
		{Result: simulator.Result{Figures: simulator.Figures{Met: 9, LateAfter: 2, Declined: 2}, GPUHoursLost: 2.6,
			BestEffortJCT: &effort}},
		{Result: simulator.Result{Figures: simulator.Figures{Met: 10, Declined: 3}, GPUHoursLost: 3.1}},
	}
	got := newTable(runs)
	column := func(head string) []cell {
		i := slices.Index(got.Heads, head)
		var cells []cell
		for _, row := range got.Rows {
			cells = append(cells, row[i])
		}
		return cells
	}
	for head, want := range map[string][]cell{
		"Met":              {{"12\u202f345", true}, {"9", false}, {"10", false}},
		"Broken":           {{"0", true}, {"2", false}, {"0", true}},
		"Lost":             {{"3", false}, {"3", false}, {"3", false}}, // look the same
		"Declined":         {{"1", false}, {"2", false}, {"3", false}}, // neither good nor bad
		"Best effort took": {{"–", false}, {"2.0 h", false}, {"–", false}},
		"99 % below":       {{"< 0.01", false}, {"0.00", true}, {"0.00", true}},
	} {
		if column := column(head); !slices.Equal(column, want) {
			t.Errorf("%s: %v, want %v", head, column, want)
		}
	}
	columns := 0
	for _, g := range got.Groups {
		columns += g.Columns
	}
	if columns != len(got.Heads) {
		t.Errorf("the groups have %d columns, and there are %d", columns, len(got.Heads))
	}
	for _, cell := range newTable(runs[:1]).Rows[0] {
		if cell.Best {
			t.Error("a policy alone is said to be best")
		}
	}
}
