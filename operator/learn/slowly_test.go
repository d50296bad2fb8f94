package learn

import (
	"math/rand/v2"
	"testing"
)

// A training that has become slower all the time goes on to: most of what is left is done at speeds that were never
// seen, and the interval holds them.
func TestATrainingThatBecomesSlowerGoesOnTo(t *testing.T) {
	const total = 100000
	j := &training{
		Rand: rand.New(rand.NewPCG(1, 1)), total: total, saveEvery: total, noise: 0.05, unit: "steps", workers: 2,
	}
	r := NewRun("resnet-1")
	r.Changed(j.moment())
	type look struct{ soonest, latest float64 }
	var looks []look
	for j.done < total {
		j.pace = 1 / (1 + 0.3*j.now/3600)
		j.train(10)
		r.Sample(j.report(), size(2))
		if rate, known := r.presentRate(); known && j.now > 1200 && j.done < 0.9*total {
			left := total - r.done
			looks = append(looks, look{j.now + left/rate.High, j.now + left/rate.Low})
		}
	}
	held := 0.0
	for _, l := range looks {
		if l.soonest <= j.now && j.now <= l.latest {
			held += 1 / float64(len(looks))
		}
	}
	if len(looks) < 100 || held < 0.9 {
		t.Errorf("it ends within %.0f %% of %d intervals", 100*held, len(looks))
	}
}

// A training that saves for longer each time, as what it saves grows, has not shown how long it is going to take: that
// it was seen to pause does not tell how it will.
func TestATrainingThatPausesMayDoSoForLonger(t *testing.T) {
	const total = 70000
	j := &training{
		Rand: rand.New(rand.NewPCG(2, 1)), total: total, saveEvery: total, noise: 0.05, unit: "steps", workers: 2,
	}
	r := NewRun("resnet-1")
	r.Changed(j.moment())
	var latest []float64
	for saved := 0; j.done < total; {
		if saves := int(j.now / 600); saves > saved {
			saved, j.pausedTil = saves, j.now+8*float64(saves)
		}
		j.train(10)
		r.Sample(j.report(), size(2))
		if rate, known := r.presentRate(); known && saved >= 1 && j.done < 0.8*total {
			latest = append(latest, j.now+(total-r.done)/rate.Low)
		}
	}
	late := 0
	for _, at := range latest {
		if j.now > at {
			late++
		}
	}
	if len(latest) < 100 || 6*late > len(latest) {
		t.Errorf("it ends later than at worst by %d of %d intervals", late, len(latest))
	}
}
