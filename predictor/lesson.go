package predictor

import "math"

// Lesson is what one job tells others that train on the same network: how much longer or shorter two nodes exchange
// than the growth from more nodes says, as a logarithm. That is the way of the network more than of the job.
type Lesson struct {
	Longer   float64
	Variance float64 // of Longer, as far as it was measured
}

const (
	// ownShare is the part of the variance of Prior.Pair by which jobs on one network differ. The rest is of networks.
	ownShare = 0.15
	// leastTold is the least that a lesson tells, as a part of what Prior.Pair says by itself.
	leastTold = 0.1
)

// Lesson is what the job of the model tells others; false if it tells nothing: it must have been measured on two nodes
// and on more.
func (m *Model) Lesson() (Lesson, bool) {
	two, more := false, false
	for _, at := range m.cells {
		two = two || at.at.shape.Nodes == 2
		more = more || at.at.shape.Nodes > 2
	}
	if !two || !more {
		return Lesson{}, false
	}
	if m.stale {
		m.fit()
	}
	share, mean, second := 0.0, 0.0, 0.0 // of the forms that know of it
	for i, weight := range m.weights {
		if _, is := forms[i].(allReduce); !is || weight == 0 {
			continue
		}
		at, fit := m.fits[i].theta[pairing], m.fits[i]
		share += weight
		mean += weight * at
		second += weight * (at*at + fit.covariance.At(pairing, pairing))
	}
	if share == 0 {
		return Lesson{}, false
	}
	mean /= share
	precision, before := 1/(second/share-mean*mean), 1/(m.prior.Pair*m.prior.Pair)
	told := precision - before // the prior is nothing that was measured
	if !(share*told > leastTold*before) {
		return Lesson{}, false
	}
	return Lesson{(mean*precision - m.prior.Longer*before) / told, 1 / (share * told)}, true
}

// Taught is the prior of a job that trains on the network on which these lessons were learned.
func (p Prior) Taught(lessons []Lesson) Prior {
	if len(lessons) == 0 {
		return p
	}
	own := ownShare * p.Pair * p.Pair
	precision := 1 / (p.Pair*p.Pair - own)
	sum := p.Longer * precision
	for _, l := range lessons {
		told := 1 / (own + l.Variance)
		precision += told
		sum += told * l.Longer
	}
	p.Longer, p.Pair = sum/precision, math.Sqrt(own+1/precision)
	return p
}

// Prior is what the model has begun with.
func (m *Model) Prior() Prior { return m.prior }

// Begin lets the model have begun with another prior. What was observed stays.
func (m *Model) Begin(p Prior) {
	if p != m.prior {
		m.prior, m.stale, m.newShape = p, true, true
	}
}
