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
