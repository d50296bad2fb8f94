package contract

import "testing"

func TestWhoComesWithAGrowthJoinsOthers(t *testing.T) {
	const growth = `{"epoch":3,"stage":"Forward","first":2,"pods":2,"job":"u-1"}`
	for name, test := range map[string]struct {
		gang  string
		epoch int64
		index int
		want  bool
	}{
		"the first of a growth":     {growth, 3, 2, true},
		"the last of it":            {growth, 3, 3, true},
		"it replaces one of before": {growth, 3, 1, false},
		"it came with another":      {growth, 4, 2, false},
		"its number is not known":   {growth, 3, -1, false},
		"it came with a start":      {`{"epoch":3,"stage":"Forward","first":0,"pods":4}`, 3, 2, false},
		"nobody says":               {"", 3, 2, false},
		"nonsense":                  {`{"first":"2"}`, 3, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Joins(test.gang, test.epoch, test.index); got != test.want {
				t.Errorf("it joins others: %v", got)
			}
		})
	}
}
