package predictor

import (
	"math"
	"slices"
)

// These are deviations of the logarithm of how long jobs take to end: from a quarter of what is usual to four times as
// long. Those that have more to do than to end may take any time, which is for what was seen to tell.
const (
	closingDeviation = 0.85
	anyClosing       = 4
)

// Closing is how long a job takes from its last step until it has ended, by earlier runs of its code that have told;
// about what is usual, where none has.
func Closing(runs []Whole, usual Seconds) Estimate {
	var logs []float64
	for _, run := range lastRuns(runs) {
		if run.Closing != nil {
			logs = append(logs, math.Log(max(float64(*run.Closing), 1)))
		}
	}
	if len(logs) == 0 {
		return spanOf(nil, float64(usual), closingDeviation)
	}
	slices.Sort(logs)
	return spanOf(logs, float64(usual), anyClosing)
}
