package predictor

import "math"

const (
	// mostParts is into how many parts a time is split to see how much its parts differ.
	mostParts = 8
	// priorDeviation is that of the speed of a part.
	priorDeviation = 0.04
	// enoughToDrift is how many strides there must be in a part: fewer are all of one moment.
	enoughToDrift = 3
)

// moving measures the speed while it trains, lately, and the standard deviation of its logarithm.
func (p *Pace) moving(paused []float64, m *Measure) {
	work, took := p.trained(paused)
	from := lately(work, took)
	work, took = work[from:], took[from:]
	parts := split(took)
	lasted := total(took)
	speed := total(work) / lasted
	logs := make([]float64, len(parts))
	for i, part := range parts {
		logs[i] = math.Log(total(work[part.from:part.to]) / total(took[part.from:part.to]) / speed)
	}
	slope, rest := trend(logs)
	n := float64(len(parts))
	freedom := max(priorParts+n-2, 1)
	deviation := math.Sqrt((priorParts*priorDeviation*priorDeviation + rest) / freedom / n)
	m.Moving, m.Lately, m.Spread = Rate(speed), Seconds(lasted), deviation*heavy(freedom)
	m.Noise = deviation * math.Sqrt(lasted)
	if len(took) >= enoughToDrift*len(parts) {
		m.Drift = slope / (lasted / n)
	}
}

// trained is what each stride has done, and for how long it has trained.
func (p *Pace) trained(paused []float64) (work, took []float64) {
	work, took = make([]float64, len(paused)), make([]float64, len(paused))
	for i, s := range p.strides {
		work[i], took[i] = s.work, s.over-paused[i]
	}
	return work, took
}

// trend is by how much equidistant values rise from one to the next, as far as it is clear that they do, and the sum
// of the squares of what is left.
func trend(values []float64) (slope, rest float64) {
	const (
		few       = 4
		priorRest = 0.03 // as one of them
		doubtful  = 2.0  // standard errors are no trend
		sure      = 3.5  // are
	)
	n := float64(len(values))
	mean := total(values) / n
	across, along := 0.0, 0.0
	for i, value := range values {
		x := float64(i) - (n-1)/2
		across += x * (value - mean)
		along += x * x
		rest += (value - mean) * (value - mean)
	}
	if n < few {
		return 0, rest
	}
	slope = across / along
	rest = max(0, rest-slope*across)
	standard := math.Sqrt((priorRest*priorRest + rest) / (n - 1) / along)
	return slope * min(1, max(0, (math.Abs(slope)/standard-doubtful)/(sure-doubtful))), rest
}

// lately is from where on the speed is about what it is now.
func lately(work, took []float64) int {
	const (
		enough   = 6    // strides tell a speed
		clear    = 0.10 // is a change that is worth to be followed
		distinct = 10.0 // deviations of a mean: strides that follow each other are alike by themselves
		few      = 3.0  // deviations of a stride
	)
	from := 0
	logs := make([]float64, len(work))
	for i := range work {
		logs[i] = math.Log(work[i] / took[i])
	}
	for share := 2.0; share <= 16; share *= 2 {
		at := latest(took, from, share)
		if len(took)-at < enough || at-from < enough {
			continue
		}
		now, nowOff := center(logs[at:], took[at:])
		then, thenOff := center(logs[from:at], took[from:at])
		count := math.Sqrt(1/float64(len(took)-at) + 1/float64(at-from))
		if math.Abs(now-then) > max(clear, distinct*count*max(nowOff, thenOff)) {
			from, share = at, 1
		}
	}
	if from > 0 {
		// The change lies within a part: what is still of the time before it goes.
		now, off := center(logs[from:], took[from:])
		for len(took)-from > enough && math.Abs(logs[from]-now) > max(clear, few*off) {
			from++
		}
	}
	if half := latest(took, 0, 2); len(took)-half >= 2*mostParts {
		from = max(from, half)
	}
	return from
}

// latest is where the latest of several parts of a time begins.
func latest(took []float64, from int, parts float64) int {
	rest, at := total(took[from:])/parts, len(took)
	for at > from && rest > 0 {
		at--
		rest -= took[at]
	}
	return at
}

// part is a range of strides.
type part struct{ from, to int }

// split parts a time into some that are about as long as each other.
func split(took []float64) []part {
	var parts []part
	each, from, sum := total(took)/mostParts, 0, 0.0
	for i, seconds := range took {
		sum += seconds
		if sum >= each*(1-1e-9) || i == len(took)-1 {
			parts = append(parts, part{from, i + 1})
			from, sum = i+1, 0
		}
	}
	return parts
}
