package real

import (
	"fmt"
	"testing"
	"time"
)

// cost is what two changes of the size have cost a training.
type cost struct {
	starts int     // beyond the first
	idle   float64 // seconds in which nothing was trained
	again  int     // steps that were trained once more
}

func costOf(history []round) (c cost) {
	for i, r := range history[1:] {
		before := history[i]
		c.starts++
		c.idle += r.began - before.ended
		c.again += before.last - r.first + 1
	}
	return c
}

func (c cost) String() string {
	return fmt.Sprintf("%d restarts, %.1f s in which nothing was trained, %d steps trained again", c.starts, c.idle, c.again)
}

// The same training grows from two workers to four and shrinks to two again: once as people do it by hand, who patch the
// replicas, and once as Takt does it.
func TestRealTrainingIsDisturbedLessThanByAPatch(t *testing.T) {
	s := newStage(t)
	j := job{name: "patched", least: 1, most: 4, workers: 2, steps: 300, sample: 20 * time.Millisecond, untold: true}
	patched := s.submit(j)
	patch := func(workers int) {
		s.kubectl("patch", "pytorchjob", j.name, "--type=merge",
			fmt.Sprintf(`--patch={"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":%d}}}}`, workers))
		s.trains(patched, workers)
	}
	s.trains(patched, 2)
	patch(4)
	patch(2)
	s.kubectl("delete", "pytorchjob", j.name, "--wait")
	s.eventually("its pods are gone", patience, func() error {
		if left := s.apply("", "get", "pods", "-o", "name"); left != "" {
			return fmt.Errorf("there are %s", left)
		}
		return nil
	})

	s.hold("others", 2)
	s.awaitPod("others")
	j.name, j.untold, j.suspended, j.deadline = "taken", false, true, 15*time.Minute
	taken := s.submit(j)
	s.trains(taken, 2)
	s.release("others")
	s.trains(taken, 4)
	s.hold("newcomer", 2)
	s.awaitPod("newcomer")
	s.trains(taken, 2)
	byHand, byTakt := costOf(rounds(records(t, patched))), costOf(rounds(records(t, taken)))
	t.Logf("by a patch: %s", byHand)
	t.Logf("by Takt: %s", byTakt)
	if byTakt.starts != 2 {
		t.Errorf("two resizes by Takt have cost %s", byTakt)
	}
	s.checkResizes(j.name, rounds(records(t, taken)))
}
