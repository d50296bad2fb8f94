package predictor

import "math"

// allReduce is the data-parallel form of Pollux:
//
//	T = (T_acc^γ + T_net^γ)^(1/γ)
//	T_acc = (a + b·m)·(1 + κ·log2 r)      m: batch of a worker, r: workers
//	T_net = 0 for one worker, α_r·growth on one node, α_n·growth across nodes
//
// Pollux lets T_net grow with r−2. Measured jobs grow slower, and there are two growths instead.
// κ, which Pollux has not, is the wait for the slowest of r workers. Two nodes exchange over one link, and more in a
// ring or a tree: how long they take says little of more nodes, and the other way round.
type allReduce struct{ growth }

// The parameters of allReduce.
const (
	compute     = iota // log(a + b·typical batch)
	fixedShare         // logit of a/(a + b·typical batch)
	acrossCost         // log(α_n / compute)
	withinCost         // log(α_r / α_n)
	firstGrowth        // what these two mean is up to the growth
	secondGrowth
	overlap    // logit of (γ−1)/9
	straggling // log κ
	pairing    // how much longer two nodes take than the growth says, as a logarithm
	allReduceParameters
)

func (f allReduce) prior(likely *Prior) []gaussian {
	first, second := f.slopes()
	return []gaussian{
		compute:      {0, 3},
		fixedShare:   {-1.5, 1.5},
		acrossCost:   {0, 1.5},
		withinCost:   {-1.5, 1},
		firstGrowth:  first,
		secondGrowth: second,
		overlap:      {-1.5, 1},
		straggling:   {-3.5, 1},
		pairing:      {likely.Longer, likely.Pair},
	}
}

func (allReduce) starts() [][]float64 {
	mean, computing, waiting := [allReduceParameters]float64{}, [allReduceParameters]float64{},
		[allReduceParameters]float64{}
	computing[acrossCost], computing[overlap] = -1.5, -1
	waiting[acrossCost], waiting[overlap] = 1.5, 1
	return [][]float64{mean[:], waiting[:], computing[:]}
}

func (f allReduce) logTime(theta []float64, s Shape, batch float64, grad []float64) (total, exposed float64) {
	clear(grad)
	workers := float64(s.Workers)
	share := logistic(theta[fixedShare])
	load := share + (1-share)*batch
	wait := math.Exp(theta[straggling]) * math.Log2(workers)
	accumulate := theta[compute] + math.Log(load) + math.Log1p(wait)
	grad[compute] = 1
	grad[fixedShare] = share * (1 - share) * (1 - batch) / load
	grad[straggling] = wait / (1 + wait)
	if s.Workers == 1 {
		return accumulate, 0
	}

	network := theta[compute] + theta[acrossCost]
	if s.Nodes == 1 {
		network += theta[withinCost]
	}
	if s.Nodes == 2 {
		network += theta[pairing]
	}
	network += f.log(theta, s, grad)

	part := logistic(theta[overlap])
	gamma := 1 + 9*part
	exposed = logistic(gamma * (network - accumulate))
	total = max(accumulate, network) + math.Log1p(math.Exp(-gamma*math.Abs(network-accumulate)))/gamma

	grad[fixedShare] *= 1 - exposed
	grad[straggling] *= 1 - exposed
	grad[acrossCost] = exposed
	if s.Nodes == 1 {
		grad[withinCost] = exposed
	}
	if s.Nodes == 2 {
		grad[pairing] = exposed
	}
	grad[firstGrowth] *= exposed
	grad[secondGrowth] *= exposed
	grad[overlap] = 9 * part * (1 - part) * ((1-exposed)*accumulate + exposed*network - total) / gamma
	return total, exposed
}
