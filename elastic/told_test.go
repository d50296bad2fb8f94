package elastic

import (
	"fmt"
	"testing"
)

// What people are told lies further out than what plans count on, and no further than the deadline where they count on
// that, and a larger size would help.
func TestNineRunsOfTenEndWithinWhatIsTold(t *testing.T) {
	deadline := func(at Seconds) *Seconds { return &at }
	for name, test := range map[string]struct {
		late     Seconds
		deadline *Seconds
		helped   bool
		want     string
	}{
		"there is no deadline":      {400, nil, true, "59 to 490"},
		"there is time to spare":    {400, deadline(900), true, "59 to 490"},
		"the plan just meets it":    {400, deadline(410), true, "59 to 410"},
		"and nothing would help it": {400, deadline(410), false, "59 to 490"},
		"the plan does not meet it": {400, deadline(390), true, "59 to 490"},
		"it is known exactly":       {200, deadline(390), true, "59 to 200"},
	} {
		early, expected := Seconds(75), Seconds(200)
		o := Outcome{EarlyEnd: &early, ExpectedEnd: &expected, LateEnd: &test.late}
		o.tell(20, test.deadline, func(float64) bool { return test.helped })
		if got := fmt.Sprintf("%.0f to %.0f", float64(*o.Earliest), float64(*o.Latest)); got != test.want {
			t.Errorf("%s: it ends from %s, want %s", name, got, test.want)
		}
	}
	var unknown Outcome
	if unknown.tell(20, nil, nil); unknown.Earliest != nil || unknown.Latest != nil {
		t.Error("something is told of what nobody knows")
	}
}
