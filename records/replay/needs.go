package replay

import (
	"cmp"
	"math"
	"strings"

	"github.com/takt-dev/takt/records"
)

// speeds are units of work a second by the number of GPUs.
type speeds map[int]float64

// needs are what a job needs: so much work, at such speeds.
type needs struct {
	work   float64
	speeds speeds
	guess  bool
}

const (
	// mostWork is well within what takt sim reads. What counts in smaller units is counted in greater ones.
	mostWork = 1e9
	// leastSpeed would be read as none.
	leastSpeed = 1e-12
)

// needsOf are the needs of a job; false if it has never run.
func needsOf(r records.Record) (needs, bool) {
	n := needs{work: r.Work, speeds: speeds{}}
	for _, s := range r.Speeds {
		if gpus := r.GPUs(s.Workers); gpus > 0 && s.PerSecond > 0 && !math.IsInf(s.PerSecond, 0) {
			n.speeds[gpus] = s.PerSecond
		}
	}
	if !r.Measured() {
		return guessed(r)
	}
	if n.work > mostWork {
		for gpus := range n.speeds {
			n.speeds[gpus] *= mostWork / n.work
		}
		n.work = mostWork
	}
	for gpus, speed := range n.speeds {
		if speed < leastSpeed {
			delete(n.speeds, gpus)
		}
	}
	return n, len(n.speeds) > 0
}

// guessed takes a job of which nobody knows how fast it is to need the GPU time that it has had, at the size that it
// had for longest, and at no other: what it would take with more GPUs is anybody's guess.
func guessed(r records.Record) (needs, bool) {
	took, longest, usual := 0.0, 0.0, 0 // the GPU time, the time of the longest, and its GPUs
	for _, spell := range r.Trained {
		gpus := r.GPUs(spell.Workers)
		if gpus < 1 || !(spell.Seconds > 0) {
			continue
		}
		took += spell.Seconds * float64(gpus)
		if spell.Seconds > longest {
			longest, usual = spell.Seconds, gpus
		}
	}
	if usual == 0 {
		return needs{}, false
	}
	return needs{work: took / float64(usual), speeds: speeds{usual: 1}, guess: true}, true
}

// closestTo is the greatest number of GPUs of a known speed that is not above the one that was asked for, or the
// least.
func (n needs) closestTo(asked int) int {
	below, least := 0, math.MaxInt
	for gpus := range n.speeds {
		least = min(least, gpus)
		if gpus <= asked {
			below = max(below, gpus)
		}
	}
	if below > 0 {
		return below
	}
	return least
}

// fileName names the model of a job: its profile, which all runs of its code share, or else itself. It is a name for a
// file, whatever is in the record.
func fileName(r records.Record) string {
	name := r.Profile
	if name == "" {
		name = r.Name
	}
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' {
			return c
		}
		return '-'
	}, r.Namespace+"."+name)
	const longest = 200
	return cmp.Or(strings.TrimLeft(name[:min(len(name), longest)], "."), "job")
}
