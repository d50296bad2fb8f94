package elastic

import (
	"fmt"
	"testing"
)

// What people are told lies further out than what plans count on, and no further than the deadline where they count on
// that.
func TestNineRunsOfTenEndWithinWhatIsTold(t *testing.T) {
	deadline := func(at Seconds) *Seconds { return &at }
	for name, test := range map[string]struct {
		late     Seconds
		deadline *Seconds
		want     string
	}{
		"there is no deadline":      {400, nil, "59 to 490"},
		"there is time to spare":    {400, deadline(900), "59 to 490"},
		"the plan just meets it":    {400, deadline(410), "59 to 410"},
		"the plan does not meet it": {400, deadline(390), "59 to 490"},
		"it is known exactly":       {200, deadline(390), "59 to 200"},
	} {
		early, expected := Seconds(75), Seconds(200)
		o := Outcome{Early: &early, Expected: &expected, Late: &test.late}
		o.tell(20, test.deadline)
		if got := fmt.Sprintf("%.0f to %.0f", float64(*o.Earliest), float64(*o.Latest)); got != test.want {
			t.Errorf("%s: it ends from %s, want %s", name, got, test.want)
		}
	}
	var unknown Outcome
	if unknown.tell(20, nil); unknown.Earliest != nil || unknown.Latest != nil {
		t.Error("something is told of what nobody knows")
	}
}
