package real

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// cost is what a growth to four workers and the shrink after it have cost a training.
type cost struct {
	starts        int // beyond the first
	grown, shrunk change
	again         int  // steps that were trained once more
	stuck         bool // it has not gone on within byHand
}

// change is what one of them has cost.
type change struct {
	idle float64 // seconds in which nothing was trained
	own  float64 // seconds that the framework's own restart took at the size after it; 0 where that was not measured
}

// costOf is what the rounds of a training say of it. own are those rounds that began because the test had the framework
// itself start the training anew: how long that took is what the change before it is compared with.
func costOf(history []round, own []int) (c cost) {
	of := &c.grown
	for i, r := range history[1:] {
		before := history[i]
		if slices.Contains(own, i+1) {
			of.own = r.began - before.ended
			continue
		}
		if before.workers > r.workers {
			of = &c.shrunk
		}
		c.starts++
		of.idle += r.began - before.ended
		c.again += before.last - r.first + 1
	}
	return c
}

// idle is how many seconds nothing was trained for both.
func (c cost) idle() float64 { return c.grown.idle + c.shrunk.idle }

func (c cost) String() string {
	text := fmt.Sprintf("%d restarts, %.1f s in which nothing was trained (a restart by PyTorch itself takes %.1f s), "+
		"then %.1f s (%.1f s), and %d steps trained again", c.starts,
		c.grown.idle, c.grown.own, c.shrunk.idle, c.shrunk.own, c.again)
	if c.stuck {
		text += fmt.Sprintf(", and then it has not gone on within %v", byHand)
	}
	return text
}

// publish has the cost in the table of docs/benchmarks.md.
func (c cost) publish(who string) {
	cells := []string{who, fmt.Sprint(c.starts)}
	for _, of := range []change{c.grown, c.shrunk} {
		idle, own, ratio := fmt.Sprintf("%.1f s", of.idle), "", ""
		switch {
		case of.idle == 0:
			idle = fmt.Sprintf("not within %v", byHand)
		case of.own > 0:
			own, ratio = fmt.Sprintf("%.1f s", of.own), fmt.Sprintf("%.2f", of.idle/of.own)
		}
		cells = append(cells, idle, own, ratio)
	}
	disturbances.Add(append(cells, fmt.Sprint(c.again))...)
}

// joinable is what PyTorch 2.6 has to be told for others to join it. Takt tells it by itself.
const joinable = `{name: TORCH_DISABLE_SHARE_RDZV_TCP_STORE, value: "1"}`

// The same training grows from two workers to four and shrinks to two again: by hand, as people do it who patch the
// replicas, and by Takt. The last worker of one by hand and of one by Takt starts late: Takt's others do not notice.
func TestRealTrainingIsDisturbedLessThanByAPatch(t *testing.T) {
	s := newStage(t)
	j := job{
		name: "taken", deadline: 15 * time.Minute, least: 1, most: 4, workers: 2, steps: 300, sample: 20 * time.Millisecond,
	}
	byTakt := s.taken(j, "Takt")
	s.withAgent()
	j.name, j.late = "wrapped", 3
	withAgent := s.taken(j, "Takt with its agent, one worker late")
	j.name, j.environment = "joinable", joinable
	s.patched(j, "a patch, of a job that others can join, one worker late")
	j.name, j.environment, j.late = "patched", "", 0
	asWritten := s.patched(j, "a patch, as people write the job")
	for _, c := range []cost{byTakt, withAgent} {
		if c.starts != 2 {
			t.Errorf("two resizes by Takt have cost %s", c)
		}
		if !asWritten.stuck && c.idle() >= asWritten.idle() {
			t.Errorf("two resizes by Takt have cost %s, and two patches %s", c, asWritten)
		}
	}
}

// patched grows a job and shrinks it again by patches of its replicas.
func (s *stage) patched(j job, who string) cost {
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
	return s.cost(j.name, who, folder, nil, !goesOn)
}

// byHand is how long it is waited for a training to go on that nobody looks after: each time that its containers have
// ended, they wait for longer before they are started again.
const byHand = 4 * time.Minute

// growsAndShrinks plays a job that has two GPUs at first, four once others let go of them, and two again for a
// newcomer. Something else is done once it has grown.
func (s *stage) growsAndShrinks(j job, grown func(folder string)) (folder string) {
	s.t.Helper()
	s.hold("others", 2)
	s.awaitPod("others")
	folder = s.submit(j)
	s.trains(folder, 2)
	s.release("others")
	s.trains(folder, 4)
	grown(folder)
	s.hold("newcomer", 2)
	s.awaitPod("newcomer")
	s.trains(folder, 2)
	return folder
}

// taken has Takt grow a job once GPUs become free, and shrink it once others need them. After each of these, the
// training is started anew once by PyTorch itself.
func (s *stage) taken(j job, who string) cost {
	s.t.Helper()
	j.suspended = true
	var own []int
	folder := s.growsAndShrinks(j, func(folder string) { own = append(own, s.restarts(folder, 4)) })
	own = append(own, s.restarts(folder, 2))
	s.checkResizes(j.name, rounds(records(s.t, folder)))
	return s.cost(j.name, who, folder, own, false)
}

// restarts kills a process of a training of so many workers, which torchrun then starts anew, and gives the number of
// the round that this begins.
func (s *stage) restarts(folder string, workers int) int {
	s.t.Helper()
	before := rounds(records(s.t, folder))
	last := before[len(before)-1]
	s.kubectl("exec", last.pod, "--", "sh", "-c", fmt.Sprint("kill -9 ", last.pid))
	s.eventually("PyTorch starts it anew", patience, func() error {
		if history := rounds(records(s.t, folder)); len(history) == len(before) {
			return fmt.Errorf("it is %s", history[len(history)-1])
		}
		return nil
	})
	s.trains(folder, workers)
	return len(before)
}

// cost is what a job has paid so far. It is deleted.
func (s *stage) cost(name, who, folder string, own []int, stuck bool) cost {
	s.t.Helper()
	history := rounds(records(s.t, folder))
	for _, r := range history {
		s.t.Logf("%s: %s", name, r)
	}
	paid := costOf(history, own)
	paid.stuck = stuck
	s.t.Logf("%s: %s", name, paid)
	paid.publish(who)
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
