package order

import (
	"math"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestDue(t *testing.T) {
	o := Order{Patience: 10 * time.Minute, HeadStart: time.Hour}
	for name, c := range map[string]struct {
		urgency Urgency
		want    time.Duration // after noon
	}{
		"without a deadline, some time after it came": {Urgency{Since: noon}, 10 * time.Minute},
		"the latest start": {
			Urgency{Since: noon, StartBy: noon.Add(3 * time.Minute)}, 3 * time.Minute,
		},
		"a deadline far away is none": {
			Urgency{Since: noon, StartBy: noon.Add(9 * time.Hour)}, 10 * time.Minute,
		},
		"one that has passed does not go before those who came earlier": {
			Urgency{Since: noon, StartBy: noon.Add(-9 * time.Hour)}, 0,
		},
		"a level of priority is a head start": {
			Urgency{Since: noon, Priority: 2}, 10*time.Minute - 2*time.Hour,
		},
		"or the opposite": {
			Urgency{Since: noon, Priority: -1}, 10*time.Minute + time.Hour,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := o.Due(c.urgency).Sub(noon); got != c.want {
				t.Errorf("due %v after noon, want %v", got, c.want)
			}
		})
	}
	least, most := o.Due(Urgency{Since: noon, Priority: math.MaxInt32}), o.Due(Urgency{
		Since: noon, Priority: math.MinInt32,
	})
	if !least.Before(noon) || !most.After(noon) {
		t.Errorf("the highest priority is due at %v, the lowest at %v", least, most)
	}
	if begun := o.Due(Urgency{Since: noon.Add(time.Hour), Priority: -9, Begun: true}); !begun.Before(least) {
		t.Errorf("what was begun is due at %v", begun)
	}
}

// Whoever came long enough before is sorted first, whatever the other has: so nobody starves.
func TestNobodyWaitsBehindAllThatComes(t *testing.T) {
	o := Order{Patience: 10 * time.Minute, HeadStart: 5 * time.Minute}
	first := Urgency{Since: noon, Priority: -1}
	for _, levels := range []int{-1, 0, 3, 50} {
		ahead := time.Duration(levels-first.Priority)*o.HeadStart + o.Patience
		for _, startBy := range []time.Time{{}, noon.Add(-time.Hour), noon.Add(time.Minute)} {
			later := Urgency{Since: noon.Add(ahead + time.Second), StartBy: startBy, Priority: levels}
			if !o.Due(first).Before(o.Due(later)) {
				t.Errorf("%+v came %v later, and is sorted first", later, ahead)
			}
		}
	}
}

// The priority of a queue is any number, and a head start up to a day: more of both is never worth less.
func TestMoreOfAPriorityIsNeverWorthLess(t *testing.T) {
	for _, start := range []time.Duration{0, 10 * time.Minute, 24 * time.Hour} {
		o := Order{Patience: 10 * time.Minute, HeadStart: start}
		last := o.Due(Urgency{Since: noon, Priority: math.MinInt32})
		for _, priority := range []int{-1_000_000, -200_000, -1, 0, 1, 110_000, 200_000, 1_000_000, math.MaxInt32} {
			due := o.Due(Urgency{Since: noon, Priority: priority})
			if due.After(last) {
				t.Errorf("at a head start of %v, a priority of %d is due at %v, and less at %v", start, priority, due, last)
			}
			last = due
		}
	}
}
