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
	stuck  bool    // it has not gone on within byHand
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
	text := fmt.Sprintf("%d restarts, %.1f s in which nothing was trained, %d steps trained again", c.starts,
		c.idle, c.again)
	if c.stuck {
		text += fmt.Sprintf(", and then it has not gone on within %v", byHand)
	}
	return text
}

// joinable is what PyTorch 2.6 has to be told for others to join it. Takt tells it by itself.
const joinable = `{name: TORCH_DISABLE_SHARE_RDZV_TCP_STORE, value: "1"}`

// The same training grows from two workers to four and shrinks to two again: by hand, as people do it who patch the
// replicas, and by Takt.
func TestRealTrainingIsDisturbedLessThanByAPatch(t *testing.T) {
	s := newStage(t)
	j := job{
		name: "taken", deadline: 15 * time.Minute, least: 1, most: 4, workers: 2, steps: 300, sample: 20 * time.Millisecond,
	}
	byTakt := s.taken(j)
	s.withAgent()
	j.name = "wrapped"
	withAgent := s.taken(j)
	j.name, j.environment = "joinable", joinable
	s.patched(j)
	j.name, j.environment = "patched", ""
	asWritten := s.patched(j)
	for _, c := range []cost{byTakt, withAgent} {
		if c.starts != 2 {
			t.Errorf("two resizes by Takt have cost %s", c)
		}
		if !asWritten.stuck && c.idle >= asWritten.idle {
			t.Errorf("two resizes by Takt have cost %s, and two patches %s", c, asWritten)
		}
	}
}

// patched grows a job and shrinks it again by patches of its replicas.
func (s *stage) patched(j job) cost {
	s.t.Helper()
	j.untold = true
	folder := s.submit(j)
	s.trains(folder, 2)
	goesOn := true
	for _, workers := range []int{4, 2} {
		if goesOn {
			s.kubectl("patch", "pytorchjob", j.name, "--type=merge",
				fmt.Sprintf(`--patch={"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":%d}}}}`, workers))
			goesOn = s.within(byHand, s.training(folder, workers)) == nil
		}
	}
	return s.cost(j.name, folder, !goesOn)
}

// byHand is how long it is waited for a training to go on that nobody looks after: each time that its containers have
// ended, they wait for longer before they are started again.
const byHand = 4 * time.Minute

// growsAndShrinks plays a job that has two GPUs at first, four once others let go of them, and two again for a
// newcomer.
func (s *stage) growsAndShrinks(j job) (folder string) {
	s.t.Helper()
	s.hold("others", 2)
	s.awaitPod("others")
	folder = s.submit(j)
	s.trains(folder, 2)
	s.release("others")
	s.trains(folder, 4)
	s.hold("newcomer", 2)
	s.awaitPod("newcomer")
	s.trains(folder, 2)
	return folder
}

// taken has Takt grow a job once GPUs become free, and shrink it once others need them.
func (s *stage) taken(j job) cost {
	s.t.Helper()
	j.suspended = true
	folder := s.growsAndShrinks(j)
	s.checkResizes(j.name, rounds(records(s.t, folder)))
	return s.cost(j.name, folder, false)
}

// cost is what a job has paid so far. It is deleted.
func (s *stage) cost(name, folder string, stuck bool) cost {
	s.t.Helper()
	history := rounds(records(s.t, folder))
	for _, r := range history {
		s.t.Logf("%s: %s", name, r)
	}
	paid := costOf(history)
	paid.stuck = stuck
	s.t.Logf("%s: %s", name, paid)
	s.clear()
	return paid
}

// clear deletes all jobs and pods, and waits until they are gone.
func (s *stage) clear() {
	s.t.Helper()
	s.kubectl("delete", "pytorchjobs,pods", "--all", "--wait")
	s.eventually("its pods are gone", patience, func() error {
		if left := s.apply("", "get", "pods", "-o", "name"); left != "" {
			return fmt.Errorf("there are %s", left)
		}
		return nil
	})
}
