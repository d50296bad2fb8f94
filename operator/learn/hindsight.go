package learn

import "github.com/takt-dev/takt/predictor"

// hindsight is how far off what was known of the training has been, at the size at which it was watched for longest. It
// has the same habits at the others.
func (r *Run) hindsight(left float64) float64 {
	c := &r.sizes
	if c.hindsightVersion == r.version {
		return c.hindsight
	}
	c.hindsight, c.hindsightVersion = 0, r.version
	var longest *speed
	for _, s := range r.speeds {
		if s.seen.Rate > 0 && (longest == nil || s.seen.Time > longest.seen.Time) {
			longest = s
		}
	}
	if longest != nil {
		c.hindsight = longest.pace.Hindsight(predictor.Seconds(left / float64(longest.seen.Rate)))
	}
	return c.hindsight
}
