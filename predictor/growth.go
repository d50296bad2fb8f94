package predictor

import "math"

// growth is how the time of exchanging gradients grows from the smallest exchange, that of two
// workers, to larger ones. It has two parameters of its own.
type growth interface {
	// slopes are the priors of the two.
	slopes() (first, second gaussian)
	// log is the logarithm of the growth at a shape of two workers or more. It writes its
	// derivatives by the two parameters to grad.
	log(theta []float64, s Shape, grad []float64) float64
}

// treeGrowth is 1 + β·log2(r/2), as of a reduction in a tree. The parameters are log β_n, across
// nodes, and log β_r, on one node.
type treeGrowth struct{}

func (treeGrowth) slopes() (across, within gaussian) { return gaussian{-2, 1}, gaussian{-2, 1} }

func (treeGrowth) log(theta []float64, s Shape, grad []float64) float64 {
	slope := firstGrowth
	if s.Nodes == 1 {
		slope = secondGrowth
	}
	grown := math.Exp(theta[slope]) * math.Log2(float64(s.Workers)/2)
	grad[slope] = grown / (1 + grown)
	return math.Log1p(grown)
}

// crowdGrowth is (n/2)^ν·(r/n)^ρ across n nodes, and (r/2)^ρ on one: the workers of a node crowd
// at its one way out, so r workers on few nodes may take longer than on many. The parameters are
// ν and ρ.
type crowdGrowth struct{}

func (crowdGrowth) slopes() (nodes, crowd gaussian) { return gaussian{0.15, 0.25}, gaussian{0.3, 0.25} }

func (crowdGrowth) log(theta []float64, s Shape, grad []float64) float64 {
	nodes, crowd := 0.0, math.Log(float64(s.Workers)/2)
	if s.Nodes > 1 {
		nodes = math.Log(float64(s.Nodes) / 2)
		crowd = math.Log(float64(s.Workers) / float64(s.Nodes))
	}
	grad[firstGrowth], grad[secondGrowth] = nodes, crowd
	return theta[firstGrowth]*nodes + theta[secondGrowth]*crowd
}
