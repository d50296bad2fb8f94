package habit

import (
	"math/rand/v2"
	"strings"
	"time"
)

// trait is one thing that habits may differ in.
type trait struct {
	name string
	draw func(*Habits, *rand.Rand)
}

// usually leaves a thing as most trainings have it.
var usually = trait{"", func(*Habits, *rand.Rand) {}}

// Drawn is an animal whose habits are thrown together: of each group of traits it has one.
func Drawn(random *rand.Rand) Animal {
	a := Animal{Habits: usual}
	var names []string
	for _, group := range [][]trait{lengths, tellings, pauses, speeds, oddities} {
		drawn := group[random.IntN(len(group))]
		if drawn.draw(&a.Habits, random); drawn.name != "" {
			names = append(names, drawn.name)
		}
	}
	a.Name = strings.Join(names, ", ")
	return a
}

// between draws a time.
func between(random *rand.Rand, least, most time.Duration) time.Duration {
	return (least + time.Duration(random.Float64()*float64(most-least))).Round(time.Second)
}

// runs has it run for a while before it is seen, and have more to do for that.
func runs(h *Habits, random *rand.Rand) {
	h.Ran = between(random, 10*time.Minute, 5*time.Hour)
	h.Hours += 1.5 * h.Ran.Hours()
}

var (
	lengths = []trait{
		usually,
		{"short", func(h *Habits, r *rand.Rand) { h.Hours = 0.2 + 0.3*r.Float64() }},
		{"long", func(h *Habits, r *rand.Rand) { h.Hours = 3 + 3*r.Float64() }},
		{"slow steps", func(h *Habits, _ *rand.Rand) { h.Speed = 0.05 }},
	}
	tellings = []trait{
		{"tells", func(h *Habits, r *rand.Rand) { h.Tells = between(r, time.Second, 2*time.Minute) }},
		{"tells seldom", func(h *Habits, r *rand.Rand) { h.Tells = between(r, 2*time.Minute, 20*time.Minute) }},
		{"annotation", func(h *Habits, r *rand.Rand) {
			h.By, h.Tells = Annotation, between(r, time.Second, 2*time.Minute)
		}},
		{"percents", func(h *Habits, _ *rand.Rand) { h.By, h.As = Annotation, Percents }},
		{"per epoch", func(h *Habits, r *rand.Rand) { h.As, h.Epochs = PerEpoch, 3+r.IntN(30) }},
		{"each epoch", func(h *Habits, r *rand.Rand) {
			h.Each, h.Epochs, h.As, h.Tells = true, 3+r.IntN(30), EpochsAlone, 0
		}},
		{"total on the job", func(h *Habits, _ *rand.Rand) { h.As = StepsAlone }},
		{"total unknown", func(h *Habits, _ *rand.Rand) { h.As = WithoutTotal }},
		{"never tells", func(h *Habits, _ *rand.Rand) { h.Tells = 0 }},
		{"HF", func(h *Habits, r *rand.Rand) { h.Says, h.Tells = "hf", between(r, time.Second, 30*time.Second) }},
		{"Lightning", func(h *Habits, r *rand.Rand) { h.Says, h.Epochs = "lightning", 3+r.IntN(20) }},
		{"Keras", func(h *Habits, r *rand.Rand) { h.Says, h.Epochs = "keras", 3+r.IntN(20) }},
		{"Megatron", func(h *Habits, _ *rand.Rand) { h.Says, h.Rank, h.Tells = "megatron", Last, 30*time.Second }},
	}
	pauses = []trait{
		usually,
		{"evaluates", func(h *Habits, r *rand.Rand) {
			h.Trains = between(r, time.Minute, 40*time.Minute)
			h.Evaluates = between(r, 10*time.Second, h.Trains)
		}},
		{"saves for long", func(h *Habits, r *rand.Rand) {
			h.SavesEvery = between(r, 5*time.Minute, time.Hour)
			h.Saves = between(r, time.Second, h.SavesEvery/6)
		}},
		{"no checkpoints", func(h *Habits, _ *rand.Rand) { h.Forgets = true }},
		{"compiles", func(h *Habits, r *rand.Rand) { h.Compiles = between(r, time.Minute, 12*time.Minute) }},
		{"restarts slowly", func(h *Habits, r *rand.Rand) { h.Restart = between(r, time.Minute, 5*time.Minute) }},
		{"crashes", func(h *Habits, r *rand.Rand) { h.Crashes = between(r, 40*time.Minute, 2*time.Hour) }},
		{"loses spot nodes", func(h *Habits, r *rand.Rand) { h.Spot = between(r, 30*time.Minute, 2*time.Hour) }},
		{"evaluates at its end", func(h *Habits, r *rand.Rand) { h.Closes = between(r, time.Minute, 20*time.Minute) }},
	}
	speeds = []trait{
		usually,
		{"slow first epoch", func(h *Habits, r *rand.Rand) { h.Warm, h.Epochs = 1.5+r.Float64(), max(h.Epochs, 10) }},
		{"stragglers", func(h *Habits, _ *rand.Rand) { h.Straggles = true }},
		{"drifts", func(h *Habits, r *rand.Rand) { h.Drift = 0.6 + 0.6*r.Float64() }},
		{"scales badly", func(h *Habits, r *rand.Rand) { h.Scaling = r.Float64() - 0.5 }},
		{"throttled", func(h *Habits, _ *rand.Rand) { h.Throttled = 0.75 }},
		{"slower across nodes", func(h *Habits, _ *rand.Rand) { h.Across = 0.6 }},
		{"cold cache", func(h *Habits, r *rand.Rand) { h.Cools, h.ColdBy = between(r, time.Minute, 10*time.Minute), 2 }},
	}
	oddities = []trait{
		usually,
		{"cold", func(h *Habits, _ *rand.Rand) { h.Cold = true }},
		{"counts anew", func(h *Habits, _ *rand.Rand) { h.Anew = h.Epochs == 0 }}, // who counts epochs goes on with them
		{"everything twice", func(h *Habits, _ *rand.Rand) { h.Twice = true }},
		{"out of order", func(h *Habits, _ *rand.Rand) { h.Late = true }},
		{"in bursts", func(h *Habits, r *rand.Rand) { h.Burst = 2 + r.IntN(20) }},
		{"buffers lines", func(h *Habits, r *rand.Rand) { h.Buffered = 2 + r.IntN(60) }},
		{"out of reach at times", func(h *Habits, _ *rand.Rand) { h.Unreachable = true }},
		{"by any worker", func(h *Habits, _ *rand.Rand) { h.Rank = Any }},
		{"tells of its checkpoints", func(h *Habits, _ *rand.Rand) { h.TellsSaves = true }},
		{"has run", runs},
		{"cold, has run", func(h *Habits, r *rand.Rand) { h.Cold = true; runs(h, r) }},
	}
)
