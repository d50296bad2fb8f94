// Package accuracy measures how well the predictor does on measured step times: it gives a model
// a few settings of a job at random, and compares what it then says of all others with what was
// measured there. The plain form of Pollux with its priors does the same, as the baseline.
//
// What comes in are tables of step times, and how many settings the model is given; what goes out is how far off it is
// at the others, and how often its intervals hold.
package accuracy

import "github.com/takt-dev/takt/predictor"

// Setting is one measured way to run a job.
type Setting struct {
	// Name tells apart settings that are one shape to the predictor, such as two placements of
	// eight workers on four nodes.
	Name  string
	Shape predictor.Shape
	Step  predictor.Seconds
	// Sync is the part of Step that is spent in exchanging gradients; zero if it was not measured.
	Sync predictor.Seconds
}

// Table is all that was measured of one job.
type Table struct {
	App      string
	Settings []Setting
}
