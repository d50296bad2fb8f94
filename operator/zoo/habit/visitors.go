package habit

import "time"

// Visitors are animals that clusters of several teams have beside the others.
func Visitors() []Animal {
	var all []Animal
	add := func(name string, change func(*Habits)) {
		h := usual
		change(&h)
		all = append(all, Animal{name, h})
	}
	add("prepares its data for 12 min at first", func(h *Habits) { h.First = 12 * time.Minute })
	add("pulls its image for 5 min", func(h *Habits) { h.Pulls = 5 * time.Minute })
	add("saves as it leaves, for 60 s", func(h *Habits) { h.Leaves, h.SavesEvery = time.Minute, time.Hour })
	add("saves behind its back for 4 min", func(h *Habits) { h.Behind = 4 * time.Minute })
	add("starts 15 s longer for each worker", func(h *Habits) { h.PerWorker = 15 * time.Second })
	add("offloads below 4 workers", func(h *Habits) { h.Offloads = 4 })
	add("powers of two alone", func(h *Habits) { h.Powers = true })
	add("hangs after 50 min", func(h *Habits) { h.Hangs, h.Hours = 50*time.Minute, 2.5 })
	add("falls twice at first", func(h *Habits) { h.Falls = 2 })
	add("falls each 35 min, and shows its bar at zero first", func(h *Habits) {
		h.Says, h.Zeroes, h.Compiles, h.Crashes = "tqdm", true, 3*time.Minute, 35*time.Minute
	})
	add("swings by a third", func(h *Habits) { h.Swings, h.Hours = 0.33, 3 })
	return all
}
