package accuracy

import (
	"fmt"
	"math/rand/v2"

	"github.com/takt-dev/takt/predictor"
)

// School is what ran on the same network before the job that is judged: other jobs, each of which was measured in a few
// settings, as a profile has them: the time of the exchange of gradients is not known. Without any the job is predicted
// by itself.
type School struct {
	Others  []Table
	Samples int // of each, drawn at random
}

// lessonSeed tells the draws of the others from those of the job that is judged.
const lessonSeed = 1 << 32

// teach is the prior of a job after this school.
func (s School) teach(prior predictor.Prior, seed, draw uint64) (predictor.Prior, error) {
	if s.Samples < 1 {
		return prior, nil
	}
	var lessons []predictor.Lesson
	for _, other := range s.Others {
		other = other.WithoutSync()
		order := rand.New(rand.NewPCG(seed+lessonSeed, draw)).Perm(len(other.Settings))
		model := prior.NewModel()
		for _, i := range order[:min(s.Samples, len(order))] {
			if err := observe(model, other.Settings[i]); err != nil {
				return prior, fmt.Errorf("%s, %s: %w", other.App, other.Settings[i].Name, err)
			}
		}
		if lesson, ok := model.Lesson(); ok {
			lessons = append(lessons, lesson)
		}
	}
	return prior.Taught(lessons), nil
}

func observe(model *predictor.Model, s Setting) error {
	return model.Observe(predictor.Observation{Shape: s.Shape, Step: s.Step, Sync: s.Sync})
}
