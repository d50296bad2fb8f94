package predictor

import "math"

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
