package elastic

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// someCluster is a small cluster, shared by several queues or not.
func someCluster(r *rand.Rand) Snapshot {
	s := Snapshot{Queues: []Queue{{Name: "a"}}}
	for i := range 1 + r.IntN(4) {
		s.Nodes = append(s.Nodes, Node{Name: fmt.Sprintf("node-%d", i), GPUs: GPUs(2 + r.IntN(7))})
	}
	if r.IntN(2) == 0 {
		limit := GPUs(1 + r.IntN(8))
		s.Queues = append(s.Queues,
			Queue{Name: "b", Guaranteed: GPUs(r.IntN(5)), Weight: 2, Priority: r.IntN(2)},
			Queue{Name: "c", Guaranteed: GPUs(r.IntN(5)), NoBorrowing: r.IntN(2) == 0},
			Queue{Name: "d", Limit: &limit})
	}
	if r.IntN(3) == 0 {
		for i := range 1 + r.IntN(2) {
			s.Nodes = append(s.Nodes, Node{Name: fmt.Sprintf("fast-%d", i), Pool: "fast", GPUs: GPUs(1 + r.IntN(8))})
		}
		s.Queues = append(s.Queues, Queue{Name: "a", Pool: "fast", Guaranteed: GPUs(r.IntN(12))})
	}
	return s
}

// someCurve is a random job's sizes: more workers are faster, each less so.
func someCurve(r *rand.Rand) []Size {
	var sizes []Size
	speed, gain := Speed(0.5+r.Float64()), 1.3+0.7*r.Float64()
	for w := Workers(1 + r.IntN(2)); w <= 16 && len(sizes) < 1+r.IntN(5); w *= 2 {
		sizes = append(sizes, Size{Workers: w, Speed: speed})
		speed *= Speed(gain)
	}
	if len(sizes) == 0 {
		return []Size{{Workers: 1, Speed: speed}}
	}
	return sizes
}

// someJob is a job whose speeds are known, with a deadline that may be met by a fast one of them.
func someJob(r *rand.Rand, n int, now Seconds, queues []Queue) Job {
	queue := queues[r.IntN(len(queues))]
	j := Job{
		Name: fmt.Sprintf("job-%d", n), Submitted: now, Sizes: someCurve(r), Queue: queue.Name, Pool: queue.Pool,
		Left: Work(10 + r.ExpFloat64()*500), Pause: Seconds(r.IntN(4) * 10),
	}
	if r.IntN(3) == 0 {
		j.Rework = Seconds(r.IntN(30))
		j.SavesAt = now + Seconds(50*r.IntN(2))
	}
	j.Unsaved, j.Uninterruptible = r.IntN(5) == 0, n%16 == 15
	if j.Queue == "b" {
		j.MaxWait = 100
	}
	if r.IntN(5) > 0 {
		fastest := j.Sizes[len(j.Sizes)-1]
		deadline := now + j.Pause + fastest.train(j.Left)*Seconds(0.8+r.ExpFloat64()*2)
		j.Deadline = &deadline
		j.OnlyPromised = r.IntN(4) == 0
	}
	if r.IntN(3) == 0 { // it is faster than what is sure
		for i := range j.Sizes {
			j.Sizes[i].Expected = j.Sizes[i].Speed * Speed(1+0.3*r.Float64())
		}
	}
	return j
}

// roams lets a job run in the other pools of its queue as well, faster or more slowly.
func roams(r *rand.Rand, j Job, queues []Queue) Job {
	for _, q := range queues {
		if q.Name == j.Queue && q.Pool != j.Pool && r.IntN(2) == 0 {
			there, by := slices.Clone(j.Sizes), Speed(0.4+1.6*r.Float64())
			for i := range there {
				there[i].Speed, there[i].Expected, there[i].Best = there[i].Speed*by, there[i].Expected*by, there[i].Best*by
			}
			j.Elsewhere = append(j.Elsewhere, Place{q.Pool, there})
		}
	}
	return j
}

// vague is a job of which less is known than someJob knows.
func vague(r *rand.Rand, j Job) Job {
	switch r.IntN(7) {
	case 0: // larger sizes are guesses
		for i := range j.Sizes[1:] {
			s := &j.Sizes[i+1]
			s.Best, s.Speed, s.Expected = s.Speed*1.2, 0, s.Expected*Speed(r.IntN(2))
		}
	case 1: // all of them
		for i := range j.Sizes {
			s := &j.Sizes[i]
			s.Best, s.Expected, s.Speed = s.Speed*1.5, s.Speed, 0
		}
	case 2: // how much is left
		j.UnknownWork = true
	case 3: // what is known is what somebody believes
		j.Believed, j.Doubted = "a guess", r.IntN(2) == 0
	}
	return j
}
