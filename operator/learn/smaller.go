package learn

import "github.com/takt-dev/takt/predictor"

// noBetterThanPresent has a smaller size that was never tried be no faster, and no surer, than the one that a job has.
// What was seen of that alone, such as a speed that drops, or a pause, may befall any: else a job would give workers
// back to be rid of it. Only fewer nodes are a reason to be faster.
func (r *Run) noBetterThanPresent(shape predictor.Shape, rate predictor.Estimate) predictor.Estimate {
	present, running := r.presentRate()
	if !running || rate.Trust == predictor.Measured || shape.Workers >= r.shape.Workers || shape.Nodes < r.shape.Nodes {
		return rate
	}
	rate.Low, rate.Median = min(rate.Low, present.Low), min(rate.Median, present.Median)
	rate.High = min(rate.High, present.High)
	return rate
}
