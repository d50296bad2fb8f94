package predictor

import (
	"cmp"
	"math"
	"slices"
)

// fit fits every form to the cells as they are, and weighs the forms.
func (m *Model) fit() {
	m.chooseReference()
	samples, typical := m.samples()
	fits := make([]*fitted, len(forms))
	for i, form := range forms {
		fits[i] = m.fitForm(i, form, samples, typical)
	}
	m.stale, m.newShape = false, false
	m.fits, m.weights = fits, weigh(fits)
}

// samples are the cells as the fits see them, and how long a step typically takes, as a logarithm.
func (m *Model) samples() (samples []sample, typical float64) {
	samples = make([]sample, len(m.cells))
	logs := make([]float64, len(m.cells))
	scatters, freedom, watched := 0.0, 0.0, 0.0
	for i, at := range m.cells {
		at.fittedLog, at.fittedScatter, at.fittedWeight = at.summary()
		at.fittedTold = at.told()
		logs[i] = at.fittedLog
		watched += at.watched
		if at.computing {
			continue // it comes from many shapes, which differ by more than one shape scatters
		}
		scatters += at.freedom() * at.fittedScatter
		freedom += at.freedom()
	}
	scatter := scatters / max(freedom, 1)
	for i, at := range m.cells {
		samples[i] = m.sample(at.at)
		samples[i].log, samples[i].weight = at.fittedLog, at.fittedWeight
		samples[i].scatter = at.settledScatter(scatter)
		samples[i].watched = at.watched / max(watched, 1)
	}
	slices.Sort(logs)
	return samples, middle(logs)
}

// fitForm is the best fit of one form that any of its searches finds; nil if none finds any.
func (m *Model) fitForm(i int, form form, samples []sample, typical float64) (best *fitted) {
	prior := form.prior(&m.prior)
	// Most of a step is computing: the prior is wide, and starts a little below.
	prior[compute].mean = typical - 0.3
	for range m.types[1:] {
		prior = append(prior, gaussian{0, typeSpread})
	}
	for _, start := range m.starts(i, form, prior) {
		search := newSearch(form, &m.prior, prior, samples, start)
		if search.run() && (best == nil || search.evidence > best.evidence) {
			best = search.fitted
		}
	}
	if best != nil {
		best.evidence += m.logOdds(form)
	}
	return best
}

// weigh is how much each fit counts, by its evidence; nil if there is none. One that counts for next to nothing is left
// with where it has ended: the next search begins there.
func weigh(fits []*fitted) []float64 {
	best := math.Inf(-1)
	for _, fit := range fits {
		if fit != nil {
			best = max(best, fit.evidence)
		}
	}
	if math.IsInf(best, -1) {
		return nil
	}
	weights, total := make([]float64, len(fits)), 0.0
	for i, fit := range fits {
		if fit == nil {
			continue
		}
		if weight := math.Exp(fit.evidence - best); weight >= leastWeight {
			weights[i] = weight
			total += weight
		}
	}
	for i, fit := range fits {
		weights[i] /= total
		if fit != nil && weights[i] == 0 {
			fits[i] = &fitted{theta: fit.theta}
		}
	}
	return weights
}

// logOdds is how likely a form is before anything was measured. Most jobs have no parameter
// servers. Their form has the fewest parameters, so a few samples of any job would speak for it.
func (m *Model) logOdds(f form) float64 {
	if _, is := f.(parameterServer); !is {
		return 0
	}
	for _, at := range m.cells {
		if at.at.shape.Servers > 1 {
			return 0
		}
	}
	return unlikelyServers
}

// starts are where the search for one form begins: where the last one ended, as long as the
// shapes are the same, else at every start of the form.
func (m *Model) starts(i int, form form, prior []gaussian) [][]float64 {
	if !m.newShape && m.fits != nil && m.fits[i] != nil && len(m.fits[i].theta) == len(prior) {
		return [][]float64{m.fits[i].theta}
	}
	var starts [][]float64
	for _, from := range form.starts() {
		start := make([]float64, len(prior))
		for j := range start {
			start[j] = prior[j].mean
			if j < len(from) {
				start[j] += from[j]
			}
		}
		starts = append(starts, start)
	}
	return starts
}

// chooseReference sets the typical batch, and the order of the types of GPU: the one that was
// measured in most shapes is the reference.
func (m *Model) chooseReference() {
	count := map[string]int{}
	sum := 0.0
	for _, at := range m.cells {
		count[at.at.shape.GPU]++
		sum += at.at.batch
	}
	m.batch = sum / float64(len(m.cells))
	m.types = m.types[:0]
	for name := range count {
		m.types = append(m.types, name)
	}
	slices.SortFunc(m.types, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
}

// sample is a shape as the fits see it.
func (m *Model) sample(at features) sample {
	s := sample{place: place{features: at}, relative: math.Exp(at.batch - m.batch)}
	s.offset = max(slices.Index(m.types, at.shape.GPU)-1, -1)
	for _, seen := range m.cells {
		if seen.at.shape == at.shape && !seen.computing {
			_, _, s.weight = seen.summary()
		}
	}
	return s
}

// trust is what an estimate of a shape rests on, and the variance that is added for what the
// model cannot know about it.
func (m *Model) trust(shape Shape) (Trust, float64) {
	least, most := Workers(maxWorkers), Workers(0)
	smallest, largest := math.Inf(1), 0.0
	sameType, sameSpan := false, false
	for _, at := range m.cells {
		seen := at.at.shape
		if at.computing {
			continue
		}
		if seen == shape {
			return Measured, 0
		}
		least, most = min(least, seen.Workers), max(most, seen.Workers)
		smallest, largest = min(smallest, seen.Batch), max(largest, seen.Batch)
		sameType = sameType || seen.GPU == shape.GPU
		sameSpan = sameSpan || (seen.Nodes > 1) == (shape.Nodes > 1)
	}
	doubt := 0.0
	if !sameType {
		doubt += typeSpread * typeSpread
	}
	if beyond := float64(shape.Workers) / float64(2*most); beyond > 1 {
		deviation := 0.35 + math.Log(beyond)
		doubt += deviation * deviation
	}
	switch {
	case doubt > 0:
		return Unknown, doubt
	case shape.Workers > most || shape.Workers < least || !sameSpan || shape.Batch < smallest/2 || shape.Batch > largest*2:
		return Extrapolated, 0
	default:
		return Interpolated, 0
	}
}
