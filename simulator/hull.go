package simulator

import (
	"maps"
	"slices"
)

// hull is the concave hull of measured speeds, from no GPU at all up to the fastest size. A job
// that may change its size at will can train at every speed on it, by spending its time at the
// two sizes beside it, and at no lower cost in GPUs.
type hull []hullPoint

type hullPoint struct {
	gpus  GPUs
	speed float64
}

func newHull(speeds Speeds) hull {
	h := hull{{0, 0}}
	for _, size := range slices.Sorted(maps.Keys(speeds)) {
		next := hullPoint{GPUs(size), speeds[size]}
		if next.speed <= h[len(h)-1].speed {
			continue // more GPUs for no more speed: never worth it
		}
		for len(h) > 1 && slope(h[len(h)-2], h[len(h)-1]) <= slope(h[len(h)-2], next) {
			h = h[:len(h)-1]
		}
		h = append(h, next)
	}
	return h
}

func slope(a, b hullPoint) float64 { return (b.speed - a.speed) / float64(b.gpus-a.gpus) }

// cost is the least number of GPUs that trains at a speed on average; ok is false for a speed
// that no size reaches.
func (h hull) cost(speed float64) (gpus GPUs, ok bool) {
	for i := 1; i < len(h); i++ {
		if speed <= h[i].speed {
			return h[i].gpus - GPUs((h[i].speed-speed)/slope(h[i-1], h[i])), true
		}
	}
	return 0, false
}
