package habit

import "time"

// Strangers are further animals, whose habits somebody wrote down who had not seen the others.
func Strangers() []Animal {
	var all []Animal
	add := func(name string, change func(*Habits)) {
		h := usual
		change(&h)
		all = append(all, Animal{name, h})
	}
	add("curriculum of 4 lengths", func(h *Habits) { h.Stages = []float64{2, 1.2, 0.8, 0.5} })
	add("progressive resizing by epochs", func(h *Habits) {
		h.Stages, h.As, h.Epochs = []float64{1.6, 1, 0.6}, PerEpoch, 12
	})
	add("speeds up", func(h *Habits) { h.Drift = 1.8 })
	add("cold cache after each start", func(h *Habits) { h.Cools, h.ColdBy = 8*time.Minute, 3 })
	add("does not scale", func(h *Habits) { h.Scaling = 0 })
	add("slower with more workers", func(h *Habits) { h.Scaling = -0.25 })
	add("storage bounds it at 4 workers", func(h *Habits) { h.Most = 5 * 3.25 })
	add("storage busy 1 h of 3", func(h *Habits) { h.Busy, h.BusyBy, h.Hours = time.Hour, 2, 4 })
	add("evaluations grow 4 times", func(h *Habits) {
		h.Trains, h.Evaluates, h.EvalGrows = 300*time.Second, 60*time.Second, 4
	})
	add("rollouts grow 5 times", func(h *Habits) {
		h.Trains, h.Evaluates, h.EvalGrows = 20*time.Second, 10*time.Second, 5
	})
	add("saves grow 8 times", func(h *Habits) { h.Saves, h.SaveGrows = 15*time.Second, 8 })
	add("stops early at 60 %", func(h *Habits) { h.Stops = 0.6 })
	add("5 folds", func(h *Habits) { h.Folds = 5 })
	add("tqdm bar", func(h *Habits) { h.Says = "tqdm" })
	add("HF trainer with bars of its evaluations", func(h *Habits) {
		h.Says, h.Trains, h.Evaluates, h.Compiles = "hf", 600*time.Second, 90*time.Second, 60*time.Second
	})
	add("Lightning with bars of its validations", func(h *Habits) {
		h.Says, h.Trains, h.Evaluates, h.Epochs = "lightning", 540*time.Second, 60*time.Second, 10
	})
	add("Keras, evaluates with the same bar", func(h *Habits) {
		h.Says, h.Trains, h.Evaluates, h.Epochs = "keras", 540*time.Second, 60*time.Second, 10
	})
	add("Megatron on its last worker", func(h *Habits) { h.Says, h.Rank, h.Tells = "megatron", Last, 30*time.Second })
	add("replays its data for 10 min", func(h *Habits) { h.Replays = 10 * time.Minute })
	add("creeps 20 % an hour", func(h *Habits) { h.Creeps, h.Hours = 0.2, 3 })
	add("long batches first", func(h *Habits) { h.Sorted, h.Epochs = 0.5, 8 })
	add("buffers 100 lines", func(h *Habits) { h.Buffered = 100 })
	add("knows its total after an epoch", func(h *Habits) { h.KnowsLate, h.Epochs = true, 6 })
	add("loses a spot node each 40 min", func(h *Habits) {
		h.Spot, h.Restart, h.Hours = 40*time.Minute, 2*time.Minute, 3
	})
	add("tells seldom after 10 min", func(h *Habits) { h.Seldom = 5 * time.Minute })
	add("throttled after 20 min", func(h *Habits) { h.Throttled = 0.75 })
	add("weak scaling, counts on", func(h *Habits) { h.CountsOn, h.Speed = true, 40 })
	add("half as fast across nodes", func(h *Habits) { h.Across = 0.5 })
	add("loads for 4 min, saves for 2 min", func(h *Habits) {
		h.Restart, h.Saves, h.SavesEvery = 4*time.Minute, 2*time.Minute, 30*time.Minute
	})
	add("half as fast with twice the workers", func(h *Habits) { h.Scaling = -0.7 })
	return all
}
