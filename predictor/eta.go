package predictor

import (
	"errors"
	"fmt"
	"math"
)

// ErrNoSize says that no size would be in time.
var ErrNoSize = errors.New("no size is fast enough")

// ETA is the time until left is done at this shape. Restart is what getting there costs first;
// its zero value is nothing.
func (m *Model) ETA(left Work, shape Shape, restart Estimate) (Estimate, error) {
	if math.IsNaN(float64(left)) || left < 0 || float64(left) > maxWork {
		return Estimate{}, &ValueError{"the work left", float64(left), ErrOutOfRange}
	}
	if !(restart.Low >= 0 && restart.Low <= restart.Median && restart.Median <= restart.High &&
		restart.High <= float64(maxStep)) {
		return Estimate{}, &ValueError{"the restart cost", restart.Median, ErrOutOfRange}
	}
	rate, err := m.Rate(shape)
	if err != nil {
		return Estimate{}, err
	}
	if left == 0 {
		return Estimate{Trust: rate.Trust}, nil
	}
	// A slow restart and slow steps are taken to come together: the sum is rather too wide.
	run := rate.Inverse(float64(left))
	return Estimate{run.Low + restart.Low, run.Median + restart.Median, run.High + restart.High, rate.Trust}, nil
}

// maxWork keeps times finite.
const maxWork = 1e30

// ProbabilityInTime is the probability that left is done within the limit at this shape.
func (m *Model) ProbabilityInTime(left Work, shape Shape, restart Estimate, limit Seconds) (float64, error) {
	if math.IsNaN(float64(limit)) {
		return 0, &ValueError{"the limit", float64(limit), ErrNotFinite}
	}
	eta, err := m.ETA(left, shape, restart)
	if err != nil {
		return 0, err
	}
	if left == 0 && limit >= 0 {
		return 1, nil
	}
	return eta.Below(float64(limit)), nil
}

// SmallestInTime is the first of the shapes, in the order given, that does what is left within
// the limit with at least this probability. The restart is paid by every shape but the current.
func (m *Model) SmallestInTime(left Work, shapes []Shape, current Shape, restart Estimate, limit Seconds,
	probability float64) (Shape, error) {
	for _, shape := range shapes {
		cost := restart
		if shape == current {
			cost = Estimate{}
		}
		p, err := m.ProbabilityInTime(left, shape, cost, limit)
		if err != nil {
			return Shape{}, err
		}
		if p >= probability {
			return shape, nil
		}
	}
	return Shape{}, fmt.Errorf("%w: %d were tried for %g of work in %g s", ErrNoSize, len(shapes), left, limit)
}
