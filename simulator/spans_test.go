package simulator

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpans(t *testing.T) {
	upTo := func(n int) (all []float64) {
		for i := range n {
			all = append(all, float64(n-i)) // in no order that helps
		}
		return all
	}
	for name, test := range map[string]struct {
		took []float64
		want *Spans
	}{
		"none":                 {nil, nil},
		"one":                  {[]float64{7}, &Spans{7, 7}},
		"two":                  {[]float64{10, 2}, &Spans{6, 10}},
		"twenty":               {upTo(20), &Spans{10.5, 19}},
		"one more than twenty": {upTo(21), &Spans{11, 20}},
		"a hundred":            {upTo(100), &Spans{50.5, 95}},
	} {
		if diff := cmp.Diff(test.want, newSpans(test.took)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
