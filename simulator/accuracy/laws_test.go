package accuracy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/takt-dev/takt/predictor"
)

// law is how a job behaves that nobody has measured. Times are in seconds of a step.
type law struct {
	name      string
	computing func(batch float64) float64
	exchange  func(workers, nodes float64) float64
	// hidden is how much of the shorter of the two times hides behind the other: 1 is nothing.
	hidden float64
	// Either time scatters by so much from run to run, as a standard deviation of its logarithm.
	computingNoise, exchangeNoise float64
}

// laws differ from each other, and from what the predictor takes for likely, in what a step waits for, in how it
// scales and in how much it scatters. How the effect of a batch ends was chosen in sight of kernels, and nothing else
// for any of them.
var laws = []law{
	{"nearly perfect", line(0.01, 0.01), ring(0.005, 4), 1, 0.01, 0.01},
	{"little exchange", line(0.02, 0.008), ring(0.03, 4), 1, 0.02, 0.02},
	{"half exchange", line(0.05, 0.005), ring(0.1, 8), 1.5, 0.01, 0.03},
	{"much exchange", line(0.02, 0.004), func(workers, nodes float64) float64 {
		return 0.05 + 0.1*workers + 0.2*(nodes-1)
	}, 1, 0.03, 0.03},
	{"hidden exchange", line(0.05, 0.01), func(workers, nodes float64) float64 {
		return 0.08 * math.Log2(workers) * min(nodes, 2)
	}, 8, 0.02, 0.02},
	{"parameter server", line(0.05, 0.005), func(workers, _ float64) float64 { return 0.02 * workers }, 1, 0.03, 0.03},
	{"quiet server", line(0.02, 0.01), func(workers, nodes float64) float64 {
		return 0.01*workers + 0.02*(nodes-1)
	}, 1, 0.01, 0.01},
	{"switches", line(0.05, 0.005), func(workers, nodes float64) float64 {
		return 0.06 * math.Log2(2*workers) * []float64{0.2, 1, 0.8, 1.3}[int(nodes)-1]
	}, 1.5, 0.01, 0.01},
	{"kernels", func(batch float64) float64 {
		return 0.02 + 0.16*math.Ceil(batch/16)*(1+0.05*math.Sin(batch))
	}, ring(0.05, 4), 1, 0.01, 0.05},
	{"restless network", line(0.02, 0.008), ring(0.15, 4), 2, 0.01, 0.1},
	{"restless", line(0.05, 0.01), ring(0.1, 4), 1, 0.1, 0.1},
}

func line(fixed, slope float64) func(float64) float64 {
	return func(batch float64) float64 { return fixed + slope*batch }
}

// ring exchanges in a ring, on one node so many times faster.
func ring(seconds, faster float64) func(workers, nodes float64) float64 {
	return func(workers, nodes float64) float64 {
		if nodes == 1 {
			return seconds / faster * 2 * (workers - 1) / workers
		}
		return seconds * 2 * (nodes - 1) / nodes
	}
}

// table is what would be measured: every way to place workers on up to four nodes of four, at five batches.
func (l law) table(seed uint64) Table {
	random := rand.New(rand.NewPCG(1, seed))
	t := Table{App: l.name}
	var place func(digits string, workers, nodes, least int)
	place = func(digits string, workers, nodes, least int) {
		if nodes > 0 {
			for _, batch := range []float64{4, 8, 16, 24, 48} {
				t.Settings = append(t.Settings, l.setting(digits, workers, nodes, batch, random))
			}
		}
		for more := least; more <= 4 && nodes < 4; more++ {
			place(fmt.Sprint(digits, more), workers+more, nodes+1, more)
		}
	}
	place("", 0, 0, 1)
	return t
}

func (l law) setting(digits string, workers, nodes int, batch float64, random *rand.Rand) Setting {
	computing := l.computing(batch) * math.Exp(l.computingNoise*random.NormFloat64())
	step := computing
	if workers > 1 {
		exchange := l.exchange(float64(workers), float64(nodes)) * math.Exp(l.exchangeNoise*random.NormFloat64())
		step = math.Pow(math.Pow(computing, l.hidden)+math.Pow(exchange, l.hidden), 1/l.hidden)
	}
	return Setting{
		Name:  fmt.Sprintf("%s×%g", digits, batch),
		Shape: predictor.Shape{Workers: predictor.Workers(workers), Nodes: nodes, Batch: batch},
		Step:  predictor.Seconds(step), Sync: predictor.Seconds(max(step-computing, 0)),
	}
}
