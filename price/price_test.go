package price

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]PerHour{
		"2.50":               {"*": 2.5},
		"0":                  {"*": 0},
		"A100=2.50,T4=0.40":  {"A100": 2.5, "T4": .4},
		"A100 = 2.50 , * =1": {"A100": 2.5, "*": 1},
		"A100=2,1":           {"A100": 2, "*": 1},
		"":                   nil, "free": nil, "-1": nil, "NaN": nil, "1e10": nil, "=2": nil, "A100=": nil,
		"A100=1,A100=2": nil, "1,2": nil, "1,": nil,
	} {
		got, err := Parse(text)
		if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (want != nil) {
			t.Errorf("%q: %v -want +got:\n%s", text, err, diff)
		}
		if again, err := Parse(got.String()); want != nil && !cmp.Equal(want, again) {
			t.Errorf("%q is written as %q, which is %v, %v", text, got.String(), again, err)
		}
	}
}

func TestOf(t *testing.T) {
	for name, test := range map[string]struct {
		prices PerHour
		kind   string
		want   float64
		priced bool
	}{
		"named":             {PerHour{"A100": 2, "*": 1}, "A100", 2, true},
		"free":              {PerHour{"A100": 0, "*": 1}, "A100", 0, true},
		"one of the others": {PerHour{"A100": 2, "*": 1}, "T4", 1, true},
		"not known":         {PerHour{"A100": 2}, "T4", 0, false},
		"no prices":         {nil, "T4", 0, false},
	} {
		if got, priced := test.prices.Of(test.kind); got != test.want || priced != test.priced {
			t.Errorf("%s: %v, %v", name, got, priced)
		}
	}
}
