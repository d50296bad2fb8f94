package predictor

import (
	"cmp"
	"math"
	"slices"
)

func total(values []float64) (sum float64) {
	for _, value := range values {
		sum += value
	}
	return sum
}

// center is the weighted median, and the standard deviation by the median deviation from it.
func center(values, weights []float64) (median, deviation float64) {
	const normal = 1.4826
	median = quantile(values, weights, 0.5)
	off := make([]float64, len(values))
	for i, value := range values {
		off[i] = math.Abs(value - median)
	}
	return median, normal * quantile(off, weights, 0.5)
}

// placed is a value with its place among all. What is sorted holds the values itself: this is where learning spends
// most of its time.
type placed struct {
	value float64
	at    int
}

// compare puts the lesser value first, and of equal ones the one whose place is first.
func (p placed) compare(q placed) int {
	switch {
	case p.value < q.value:
		return -1
	case p.value > q.value:
		return 1
	default:
		return cmp.Or(cmp.Compare(p.value, q.value), cmp.Compare(p.at, q.at))
	}
}

// quantile is the least value up to which there is this share of the weight.
func quantile(values, weights []float64, share float64) float64 {
	order := make([]placed, len(values))
	for i, value := range values {
		order[i] = placed{value, i}
	}
	slices.SortFunc(order, placed.compare)
	rest := share * total(weights)
	for _, p := range order {
		if rest -= weights[p.at]; rest <= 0 {
			return p.value
		}
	}
	return order[len(order)-1].value
}
