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
	from := turned(work, took)
	if from > 0 {
		m.Turned = p.strides[from-1].end
	}
	from = max(from, recent(took))
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
func lately(work, took []float64) int { return max(turned(work, took), recent(took)) }

// recent is where the second half of the time begins, where that is enough to tell a speed.
func recent(took []float64) int {
	if half := latest(took, 0, 2); len(took)-half >= 2*mostParts {
		return half
	}
	return 0
}

// turned is from where on the speed is another than before, for sure; 0 if it never changed.
func turned(work, took []float64) int {
	const few = 3.0 // deviations of a stride
	from := 0
	logs := make([]float64, len(work))
	for i := range work {
		logs[i] = math.Log(work[i] / took[i])
	}
	for at := apart(logs, took, from); at > from; at = apart(logs, took, from) {
		if !differ(logs, took, from, at) {
			break
		}
		from = at
	}
	if from > 0 {
		// The change lies within a part: what is still of the time before it goes.
		now, off := center(logs[from:], took[from:])
		for len(took)-from > enoughStrides && math.Abs(logs[from]-now) > max(clearChange, few*off) {
			from++
		}
	}
	return from
}

const (
	enoughStrides = 6    // tell a speed
	clearChange   = 0.10 // is worth to be followed
)

// apart is where what comes after differs most from what was before, since a stride, both long enough to tell a speed;
// that stride where there is no such place.
func apart(logs, took []float64, since int) (at int) {
	all, sum := 0.0, 0.0
	for i := since; i < len(logs); i++ {
		all, sum = all+took[i], sum+took[i]*logs[i]
	}
	at = since
	most, time, until := 0.0, 0.0, 0.0
	for i := since; i < len(logs)-enoughStrides; i++ {
		time, until = time+took[i], until+took[i]*logs[i]
		off := until/time - (sum-until)/(all-time)
		if by := off * off * time * (all - time); i+1-since >= enoughStrides && by > most {
			at, most = i+1, by
		}
	}
	return at
}

// differ says that the speed is clearly another from a stride on than before, since another stride. Both are looked at
// for as long as each other: what was longer before, or has come since, may have had several speeds.
func differ(logs, took []float64, since, at int) bool {
	const distinct = 10.0 // deviations of a mean: strides that follow each other are alike by themselves
	for span := min(total(took[since:at]), total(took[at:])); ; span /= 2 {
		first, last := at, at
		for over := 0.0; first > since && over < span; first-- {
			over += took[first-1]
		}
		for over := 0.0; last < len(took) && over < span; last++ {
			over += took[last]
		}
		if at-first < enoughStrides || last-at < enoughStrides {
			return false
		}
		then, thenOff := center(logs[first:at], took[first:at])
		now, nowOff := center(logs[at:last], took[at:last])
		count := math.Sqrt(1/float64(last-at) + 1/float64(at-first))
		if math.Abs(now-then) > max(clearChange, distinct*count*max(nowOff, thenOff)) {
			return true
		}
	}
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
