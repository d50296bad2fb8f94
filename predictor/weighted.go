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

// quantile is the least value up to which there is this share of the weight.
func quantile(values, weights []float64, share float64) float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(a, b)) })
	rest := share * total(weights)
	for _, i := range order {
		if rest -= weights[i]; rest <= 0 {
			return values[i]
		}
	}
	return values[order[len(order)-1]]
}
