package predictor

import "testing"

func TestCadence(t *testing.T) {
	repeat := func(times int, gaps ...Seconds) (all []Seconds) {
		for range times {
			all = append(all, gaps...)
		}
		return all
	}
	for name, tt := range map[string]struct {
		gaps []Seconds
		want Seconds
	}{
		"nothing":                     {nil, 0},
		"one gap":                     {[]Seconds{10}, 10},
		"steady":                      {repeat(20, 10), 10},
		"three within 40 ms":          {repeat(10, 0.02, 0.02, 4.96), 5},
		"ten in a burst":              {repeat(10, append(repeat(9, 0.001), 4.991)...), 5},
		"a burst at first":            {append(repeat(12, 0.01), repeat(20, 10)...), 10},
		"one pause":                   {append(repeat(20, 10), 600, 10, 10), 10},
		"a pause among a few":         {[]Seconds{10, 300}, 10},
		"a pause for every five gaps": {repeat(6, 10, 10, 10, 10, 10, 40), 10},
		"faster from now on":          {append(repeat(20, 3600), repeat(2000, 10)...), 10},
		"no gap":                      {append(repeat(5, 10), 0, -5), 10},
	} {
		t.Run(name, func(t *testing.T) {
			var c Cadence
			for _, gap := range tt.gaps {
				c.Add(gap)
			}
			if got := c.Typical(); got < tt.want*0.95 || got > tt.want*1.05 || c.Known() != (tt.want > 0) {
				t.Errorf("got %g, known %t; want %g", got, c.Known(), tt.want)
			}
		})
	}
}
