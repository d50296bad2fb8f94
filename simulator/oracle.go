package simulator

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/takt-dev/takt/elastic"
)

// Oracle is a predictor that is told the speeds, each wrong by a factor of its own.
type Oracle struct {
	speeds func(Job) Speeds
	noise  float64 // the standard deviation of the factor's logarithm
	random *rand.Rand
	knows  map[kind][]elastic.Size // of speeds told without noise
}

// NewOracle makes an oracle; without noise it tells the truth.
func NewOracle(speeds func(Job) Speeds, noise float64, seed uint64) *Oracle {
	return &Oracle{speeds: speeds, noise: noise, random: rand.New(rand.NewPCG(seed, 2)), knows: map[kind][]elastic.Size{}}
}

// Watch tells new jobs their speeds.
func (o *Oracle) Watch(_ Seconds, jobs []*Training) Seconds {
	for _, t := range jobs {
		if t.Curve == nil {
			t.Curve = o.curve(t.Job)
		}
	}
	return Never
}

func (o *Oracle) curve(job Job) []elastic.Size {
	if known, ok := o.knows[job.kind()]; ok {
		return known
	}
	// pessimism is the distance from the middle of a normal distribution to its lower twentieth.
	const pessimism = 1.645
	var curve []elastic.Size
	speeds := o.speeds(job)
	for _, size := range slices.Sorted(maps.Keys(speeds)) {
		told := speeds[size]
		if o.noise > 0 {
			told *= math.Exp(o.noise * o.random.NormFloat64())
		}
		curve = append(curve, elastic.Size{
			Workers:  elastic.Workers(size),
			Speed:    elastic.Speed(told * math.Exp(-pessimism*o.noise)),
			Expected: elastic.Speed(told),
		})
	}
	if o.noise == 0 {
		o.knows[job.kind()] = curve
	}
	return curve
}
