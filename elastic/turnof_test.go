package elastic

import "testing"

// A job is at its turn for as long as others may have to wait for theirs, if it was started for having waited.
func TestTheTurnOfAJobLastsAsLongAsOthersMayWait(t *testing.T) {
	ended := func(at Seconds) *Seconds { return &at }
	for name, test := range map[string]struct {
		past         []Sized
		since, until Seconds
	}{
		"it waits":                      {nil, 1000, 0},
		"it was started at once":        {[]Sized{{0, 2, 1100, ended(1200)}}, 1000, 0},
		"it was started as it waited":   {[]Sized{{0, 2, 4600, ended(4700)}}, 1000, 8300},
		"by another clock":              {[]Sized{{0, 2, 4550, ended(4700)}}, 1000, 8300},
		"it is being started for that":  {[]Sized{{0, 2, 4600, nil}}, 1000, 8200},
		"it has grown since":            {[]Sized{{0, 2, 4600, ended(4700)}, {2, 4, 5000, ended(5100)}}, 1000, 8300},
		"it was stopped since":          {[]Sized{{0, 2, 4600, ended(4700)}, {2, 0, 5000, ended(5100)}}, 5100, 0},
		"it is being stopped":           {[]Sized{{0, 2, 4600, ended(4700)}, {2, 0, 5000, nil}}, 5000, 0},
		"it was started again at once":  {[]Sized{{2, 0, 5000, ended(5100)}, {0, 2, 5200, ended(5300)}}, 5100, 0},
		"it was started again for that": {[]Sized{{2, 0, 5000, ended(5100)}, {0, 2, 8700, ended(8800)}}, 5100, 12_400},
	} {
		if since, until := TurnOf(1000, test.past, 3600); since != test.since || until != test.until {
			t.Errorf("%s: it waits since %v, and has its turn until %v; want %v and %v", name, since, until, test.since,
				test.until)
		}
	}
}
