package habit

import "time"

// Mixtures are animals that have several habits at a time, which others have one by one.
func Mixtures() []Animal {
	var all []Animal
	add := func(name string, change func(*Habits)) {
		h := usual
		change(&h)
		all = append(all, Animal{name, h})
	}
	add("compiles for 8 min, evaluates longer than it trains, counts each epoch", func(h *Habits) {
		h.Compiles, h.Trains, h.Evaluates = 8*time.Minute, 5*time.Minute, 10*time.Minute
		h.As, h.Epochs, h.Hours = PerEpoch, 12, 1
	})
	add("whole percents, first saved after 50 min", func(h *Habits) {
		h.By, h.As, h.SavesEvery = Annotation, Percents, 50*time.Minute
	})
	add("losses alone, compiles for 5 min", func(h *Habits) { h.Says, h.Compiles = "losses", 5*time.Minute })
	add("losses alone, cold", func(h *Habits) { h.Says, h.Cold = "losses", true })
	add("tells each epoch, crashes every hour, loads for 4 min", func(h *Habits) {
		h.Each, h.Epochs, h.As, h.Tells = true, 12, EpochsAlone, 0
		h.Crashes, h.Restart, h.Hours = time.Hour, 4*time.Minute, 3
	})
	add("cold, counts anew, evaluates, tells by any worker", func(h *Habits) {
		h.Cold, h.Anew, h.Rank, h.Tells = true, true, Any, time.Minute
		h.Trains, h.Evaluates = 600*time.Second, 300*time.Second
	})
	add("counts anew, evaluates, tells by any worker", func(h *Habits) {
		h.Anew, h.Rank, h.Tells, h.Trains, h.Evaluates = true, Any, time.Minute, 600*time.Second, 300*time.Second
	})
	add("cold, buffers 50 lines, compiles for 5 min", func(h *Habits) {
		h.Cold, h.Buffered, h.Compiles = true, 50, 5*time.Minute
	})
	add("tells seldom, loses a spot node each 40 min, saves behind its back", func(h *Habits) {
		h.Seldom, h.Spot, h.Behind, h.Hours = 5*time.Minute, 40*time.Minute, 4*time.Minute, 3
	})
	add("knows its total after a slow epoch, forgets all", func(h *Habits) {
		h.KnowsLate, h.Epochs, h.Warm, h.Forgets = true, 6, 2, true
	})
	add("powers of two, starts 15 s longer for each worker, evaluates", func(h *Habits) {
		h.Powers, h.PerWorker, h.Trains, h.Evaluates = true, 15*time.Second, 300*time.Second, 60*time.Second
	})
	add("hangs after 50 min, tells every 10 min, out of reach at times", func(h *Habits) {
		h.Hangs, h.Hours, h.Tells, h.Unreachable = 50*time.Minute, 2.5, 10*time.Minute, true
	})
	return all
}
