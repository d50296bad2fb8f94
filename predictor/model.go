package predictor

import (
	"cmp"
	"math"
	"slices"
)

const (
	maxShapes = 64
	maxTypes  = 8 // types of GPU
	// typeSpread is the standard deviation, in logarithms, of the factor between two types.
	typeSpread = 0.7
	// A change smaller than this part of the step time is not worth a new fit.
	settled = 0.003
	// Forms that are less likely than this part of the likeliest say nothing.
	leastWeight = 0.01
	// unlikelyServers is the logarithm of the odds, 1 to 20, that a job has parameter servers if
	// it was never told to have more than one.
	unlikelyServers = -3
)

// Bounds of a step time.
const (
	minStep Seconds = 1e-9
	maxStep Seconds = 1e15
)

// Model learns the step time of one job by its shape. It is not for use by several goroutines.
type Model struct {
	prior Prior
	cells []*cell // in the order in which they were first seen
	clock uint64

	stale    bool
	newShape bool
	fits     []*fitted // one for each form, nil where the fit failed; one without weight has its theta only
	weights  []float64 // of the fits, adding up to 1
	types    []string  // of GPU; the first is the reference
	batch    float64   // logarithm of the typical batch
}

// NewModel is a model that knows nothing.
func NewModel() *Model { return Usual().NewModel() }

// NewModel is a model that knows no more than the prior.
func (p Prior) NewModel() *Model { return &Model{prior: p} }

// Observation is what was measured of a shape.
type Observation struct {
	Shape Shape
	Step  Seconds // the time of one step
	// Spread is the relative standard deviation of Step, if it is known.
	Spread float64
	// Sync is the part of Step that is spent in exchanging gradients; zero if it is not known.
	// The rest is then learned from too: it is what one worker alone would take.
	Sync Seconds
}

// Observe learns from one observation. An observation that makes no sense changes nothing.
func (m *Model) Observe(o Observation) error {
	shape, err := o.Shape.normal()
	if err != nil {
		return err
	}
	if err := positive("the step time", float64(o.Step), float64(minStep), float64(maxStep)); err != nil {
		return err
	}
	if math.IsNaN(o.Spread) || o.Spread < 0 {
		return &ValueError{"the spread", o.Spread, ErrNotFinite}
	}
	if !(o.Sync >= 0 && o.Sync < o.Step) {
		return &ValueError{"the part of the step in exchange", float64(o.Sync), ErrOutOfRange}
	}
	at, err := m.cell(shape, false)
	if err != nil {
		return err
	}
	m.learn(at, o.Step, o.Spread)
	if o.Sync == 0 || shape.Workers == 1 {
		return nil
	}
	shape.Workers, shape.Nodes = 1, 1
	if at, err = m.cell(shape, true); err != nil {
		return err
	}
	m.learn(at, o.Step-o.Sync, o.Spread)
	return nil
}

func (m *Model) learn(at *cell, step Seconds, spread float64) {
	m.clock++
	at.order = m.clock
	at.observe(math.Log(float64(step)), min(spread, 1))
	m.note(at)
}

// ObserveRate learns from a rate of work at a shape.
func (m *Model) ObserveRate(shape Shape, rate Rate, spread float64) error {
	normal, err := shape.normal()
	if err != nil {
		return err
	}
	if err := positive("the rate", float64(rate), 1/float64(maxStep), 1/float64(minStep)); err != nil {
		return err
	}
	return m.Observe(Observation{Shape: shape, Step: Seconds(normal.work() / float64(rate)), Spread: spread})
}

// ObserveMeasure learns from a measure of a shape. It takes the place of all that was observed of the shape before.
func (m *Model) ObserveMeasure(shape Shape, measure Measure) error {
	normal, err := shape.normal()
	if err != nil {
		return err
	}
	if err := positive("the rate", float64(measure.Rate), 1/float64(maxStep), 1/float64(minStep)); err != nil {
		return err
	}
	if math.IsNaN(measure.Spread) || measure.Spread < 0 {
		return &ValueError{"the spread", measure.Spread, ErrNotFinite}
	}
	step := normal.work() / float64(measure.Rate)
	if err := positive("the step time", step, float64(minStep), float64(maxStep)); err != nil {
		return err
	}
	at, err := m.cell(normal, false)
	if err != nil {
		return err
	}
	m.clock++
	at.order = m.clock
	at.replace(math.Log(step), measure.Spread, max(1, min(measure.Count, window)))
	at.watched = max(float64(measure.Time), 0)
	m.note(at)
	return nil
}

// note marks the fit as stale if what the cell says has changed.
func (m *Model) note(at *cell) {
	log, scatter, weight := at.summary()
	moved := func(now, then float64) bool { return now < 0.8*then || now > 1.25*then+settled*settled }
	if math.Abs(log-at.fittedLog) > settled || moved(weight, at.fittedWeight) || moved(scatter, at.fittedScatter) ||
		moved(at.told(), at.fittedTold) {
		m.stale = true
	}
}

// cell is the one of this shape, or of its computing alone. When there are too many, the one that
// was observed longest ago makes room.
func (m *Model) cell(shape Shape, computing bool) (*cell, error) {
	for _, at := range m.cells {
		if at.at.shape == shape && at.computing == computing {
			return at, nil
		}
	}
	types := map[string]bool{shape.GPU: true}
	for _, at := range m.cells {
		types[at.at.shape.GPU] = true
	}
	if len(types) > maxTypes {
		return nil, &ShapeError{shape, "the model knows too many types of GPU already"}
	}
	if len(m.cells) == maxShapes {
		oldest := slices.MinFunc(m.cells, func(a, b *cell) int { return cmp.Compare(a.order, b.order) })
		m.cells = slices.DeleteFunc(m.cells, func(at *cell) bool { return at == oldest })
	}
	at := &cell{at: shape.features(), computing: computing}
	m.cells = append(m.cells, at)
	m.stale, m.newShape = true, true
	return at, nil
}

// Spanned says whether anything was measured across nodes.
func (m *Model) Spanned() bool {
	return slices.ContainsFunc(m.cells, func(at *cell) bool { return at.at.shape.Nodes > 1 })
}

// StepTime is the time of one step of a shape.
func (m *Model) StepTime(shape Shape) (Estimate, error) {
	shape, err := shape.normal()
	if err != nil {
		return Estimate{}, err
	}
	if len(m.cells) == 0 {
		return Estimate{}, ErrUnknown
	}
	if m.stale {
		m.fit()
	}
	if m.weights == nil {
		return Estimate{}, ErrNoFit
	}
	at := m.sample(shape.features())
	mean, second := 0.0, 0.0
	for i, fit := range m.fits {
		if m.weights[i] == 0 {
			continue
		}
		log, variance := fit.predict(at)
		mean += m.weights[i] * log
		second += m.weights[i] * (log*log + variance)
	}
	// What the forms disagree about is uncertain too.
	trust, doubt := m.trust(shape)
	return newEstimate(mean, max(second-mean*mean, 0)+doubt, trust), nil
}

// Rate is the work per second of a shape.
func (m *Model) Rate(shape Shape) (Estimate, error) {
	normal, err := shape.normal()
	if err != nil {
		return Estimate{}, err
	}
	step, err := m.StepTime(normal)
	if err != nil {
		return Estimate{}, err
	}
	return step.Inverse(normal.work()), nil
}
