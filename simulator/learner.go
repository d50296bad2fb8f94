package simulator

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// Learner is a predictor that sees nothing but the progress of jobs that run, each reading wrong by
// a factor of its own. Jobs of one model share what was learned of it, as jobs do that name the same
// profile.
type Learner struct {
	noise       float64
	random      *rand.Rand
	gpusPerNode int
	profiles    map[string]*profile
	watched     map[*Training]*watch
	before      []*Training      // at the event before
	speeds      func(Job) Speeds // of which only the sizes are looked at: those that a job may have
}

// profile is what was learned of one model.
type profile struct {
	model    *predictor.Model
	readings map[predictor.Shape]int
	version  int // counts the readings
}

// watch is what is known of one job that runs.
type watch struct {
	size    int
	since   Seconds // when it began to train at its size, or was last read
	left    Iterations
	version int // of the profile that its curve is from
}

const (
	firstReading  = Seconds(20) // after so much training a job is read for the first time
	readingsAsked = 6           // so often a size is watched on purpose
)

// NewLearner makes a learner. The sizes that a job may have are those that its speeds were measured
// at; the speeds themselves it does not look at.
func NewLearner(speeds func(Job) Speeds, noise float64, seed uint64, gpusPerNode int) *Learner {
	return &Learner{
		noise: noise, random: rand.New(rand.NewPCG(seed, 3)), gpusPerNode: gpusPerNode, speeds: speeds,
		profiles: map[string]*profile{}, watched: map[*Training]*watch{},
	}
}

// Watch reads the progress of all jobs, and predicts their speeds from what was learned.
func (l *Learner) Watch(now Seconds, jobs []*Training) Seconds {
	wake := Never
	for _, t := range jobs {
		w, p := l.watched[t], l.profile(t)
		if w == nil {
			w = &watch{version: -1}
			l.watched[t] = w
		}
		wake = min(wake, l.read(now, t, w, p))
	}
	for _, t := range l.before {
		if t.Left == 0 {
			l.learn(t, l.watched[t], l.profile(t), t.Finished)
			delete(l.watched, t)
		}
	}
	l.before = slices.Clone(jobs)
	for _, t := range jobs {
		if w, p := l.watched[t], l.profile(t); w.version != p.version {
			t.Curve, w.version = l.curve(t, p), p.version
		}
	}
	return wake
}

func (l *Learner) profile(t *Training) *profile {
	p := l.profiles[t.Model]
	if p == nil {
		p = &profile{model: predictor.NewModel(), readings: map[predictor.Shape]int{}}
		l.profiles[t.Model] = p
	}
	return p
}

// read learns from a job that has trained long enough since it was last read, and says when it is to
// be read next, if that is worth an event of its own.
func (l *Learner) read(now Seconds, t *Training, w *watch, p *profile) Seconds {
	if t.Size != w.size || t.Left > w.left || t.Since > w.since {
		*w = watch{size: t.Size, since: max(now, t.Since), left: t.Left, version: w.version}
	}
	if t.Size == 0 {
		return Never
	}
	l.learn(t, w, p, now)
	n := p.readings[l.shape(t, t.Size)]
	if n >= readingsAsked {
		return Never
	}
	return w.since + firstReading*Seconds(n+1)
}

// learn reads how far a job has come since it was last read, if that was long enough ago.
func (l *Learner) learn(t *Training, w *watch, p *profile, now Seconds) {
	trained := now - w.since
	if trained < firstReading-rounding || w.size == 0 {
		return
	}
	shape := l.shape(t, w.size)
	speed := float64(w.left-t.Left) / float64(trained) * math.Exp(l.noise*l.random.NormFloat64())
	if p.model.ObserveRate(shape, predictor.Rate(speed*float64(t.Batch)), l.noise) == nil {
		p.readings[shape]++
		p.version++
	}
	w.since, w.left = now, t.Left
}

// shape is how a job runs at a size. Work is counted in samples, so that a model may have jobs with
// several batches.
func (l *Learner) shape(t *Training, size int) predictor.Shape {
	return predictor.Shape{
		Workers: predictor.Workers(size),
		Nodes:   (size + l.gpusPerNode - 1) / l.gpusPerNode,
		Batch:   float64(t.Batch) / float64(size),
	}
}

// curve predicts the speed of a job at every size that it may have. A size of which too little is
// known to trust it has a speed that is expected, but none to count on.
func (l *Learner) curve(t *Training, p *profile) []elastic.Size {
	var curve []elastic.Size
	for _, size := range slices.Sorted(maps.Keys(l.speeds(t.Job))) {
		step, err := p.model.StepTime(l.shape(t, size))
		if err != nil {
			// Nothing is known: it has to start to be seen.
			curve = append(curve, elastic.Size{Workers: elastic.Workers(size)})
			continue
		}
		speed := elastic.Size{Workers: elastic.Workers(size), Expected: elastic.Speed(1 / step.Median),
			Best: elastic.Speed(1 / step.Low)}
		if step.Trust != predictor.Unknown {
			speed.Speed = elastic.Speed(1 / step.High)
		}
		curve = append(curve, speed)
	}
	return curve
}
