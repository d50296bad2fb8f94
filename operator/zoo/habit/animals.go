package habit

import "time"

// Animal is a kind of training that people run.
type Animal struct {
	Name string
	Habits
}

// usual is what most trainings have in common.
var usual = Habits{
	Hours: 1.5, Speed: 5, Scaling: 0.85,
	Restart: 20 * time.Second, SavesEvery: 10 * time.Minute, Saves: 2 * time.Second, Tells: 5 * time.Second,
}

// Animals are all of them.
func Animals() []Animal {
	var all []Animal
	add := func(name string, change func(*Habits)) {
		h := usual
		change(&h)
		all = append(all, Animal{name, h})
	}
	add("tells each step", func(h *Habits) { h.Tells = time.Second })
	add("tells every 10 min", func(h *Habits) { h.Tells = 10 * time.Minute })
	add("tells each epoch", func(h *Habits) { h.Each, h.Epochs, h.As, h.Tells = true, 12, EpochsAlone, 0 })
	add("tells each hour", func(h *Habits) { h.Tells, h.Hours = time.Hour, 6 })
	add("tells at its end", func(h *Habits) { h.Each, h.Epochs, h.As, h.Tells = true, 1, EpochsAlone, 0 })
	add("never tells", func(h *Habits) { h.Tells = 0 })
	add("tells in bursts", func(h *Habits) { h.By, h.Burst = Annotation, 3 })
	add("tells in bursts of lines", func(h *Habits) { h.Burst, h.Tells = 10, time.Minute })
	add("tells everything twice", func(h *Habits) { h.Twice, h.Tells = true, 15*time.Second })
	add("tells out of order", func(h *Habits) { h.Late, h.Tells = true, 15*time.Second })
	add("whole percents", func(h *Habits) { h.By, h.As = Annotation, Percents })
	add("annotation every minute", func(h *Habits) { h.By, h.Tells = Annotation, time.Minute })
	add("total unknown", func(h *Habits) { h.As = WithoutTotal })
	add("total on the job", func(h *Habits) { h.As = StepsAlone })
	add("total revised down", func(h *Habits) { h.Revised = 0.8 })
	add("total revised up", func(h *Habits) { h.Revised = 1.25 })
	add("total by the number of workers", func(h *Habits) { h.Divides, h.Speed = true, 40 })
	add("total per epoch", func(h *Habits) { h.As, h.Epochs = PerEpoch, 10 })
	add("compiles for 5 min", func(h *Habits) { h.Compiles = 5 * time.Minute })
	add("trains 600 s, evaluates 300 s", func(h *Habits) { h.Trains, h.Evaluates = 600*time.Second, 300*time.Second })
	add("trains 60 s, evaluates 30 s", func(h *Habits) { h.Trains, h.Evaluates = time.Minute, 30*time.Second })
	add("trains 1800 s, evaluates 600 s", func(h *Habits) {
		h.Trains, h.Evaluates, h.Hours = 1800*time.Second, 600*time.Second, 3
	})
	add("evaluates for 20 min at its end", func(h *Habits) { h.Closes = 20 * time.Minute })
	add("evaluates after each epoch", func(h *Habits) {
		h.As, h.Epochs, h.Trains, h.Evaluates = PerEpoch, 9, 600*time.Second, 120*time.Second
	})
	add("saves for 60 s every 20 min", func(h *Habits) { h.SavesEvery, h.Saves = 20*time.Minute, time.Minute })
	add("tells of its checkpoints", func(h *Habits) { h.TellsSaves = true })
	add("slow first epoch", func(h *Habits) { h.Warm, h.Epochs = 2, 10 })
	add("slows down", func(h *Habits) { h.Drift = 0.6 })
	add("halves its speed", func(h *Habits) { h.Drift, h.Halves = 0.5, true })
	add("no checkpoints", func(h *Habits) { h.Forgets = true })
	add("counts anew after a restart", func(h *Habits) { h.Anew = true })
	add("stragglers", func(h *Habits) { h.Straggles = true })
	add("crashes every hour", func(h *Habits) { h.Crashes, h.Hours = time.Hour, 3 })
	add("exits 0 when told to leave", func(h *Habits) { h.ExitsZero = true })
	add("has run for 10 h", func(h *Habits) { h.Ran, h.Hours = 10*time.Hour, 13 })
	add("has run for 10 h, tells each hour", func(h *Habits) { h.Ran, h.Hours, h.Tells = 10*time.Hour, 13, time.Hour })
	add("cold", func(h *Habits) { h.Cold = true })
	add("cold, tells every 10 min", func(h *Habits) { h.Cold, h.Tells = true, 10*time.Minute })
	add("cold, tells each epoch", func(h *Habits) {
		h.Cold, h.Each, h.Epochs, h.As, h.Tells = true, true, 12, EpochsAlone, 0
	})
	add("cold, compiles for 5 min", func(h *Habits) { h.Cold, h.Compiles = true, 5*time.Minute })
	add("cold, trains 600 s, evaluates 300 s", func(h *Habits) {
		h.Cold, h.Trains, h.Evaluates = true, 600*time.Second, 300*time.Second
	})
	add("cold, no checkpoints", func(h *Habits) { h.Cold, h.Forgets = true, true })
	add("cold, never tells", func(h *Habits) { h.Cold, h.Tells = true, 0 })
	add("cold, has run for 10 h", func(h *Habits) { h.Cold, h.Ran, h.Hours = true, 10*time.Hour, 13 })
	add("output out of reach at times", func(h *Habits) { h.Unreachable = true })
	add("tells by its last worker", func(h *Habits) { h.Rank = Last })
	add("tells by any worker, each minute", func(h *Habits) { h.Rank, h.Tells = Any, time.Minute })
	return all
}
