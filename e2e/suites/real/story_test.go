package real

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// How long a process may take to start and to train a few steps: the machine may have much else to do.
const patience = 4 * time.Minute

// trains waits until so many workers have trained a few steps together.
func (s *stage) trains(folder string, workers int) {
	s.t.Helper()
	s.eventually(fmt.Sprintf("%d workers train", workers), patience, s.training(folder, workers))
}

// training objects as long as so many workers have not trained a few steps together.
func (s *stage) training(folder string, workers int) func() error {
	return func() error {
		s.t.Helper()
		history := rounds(records(s.t, folder))
		if len(history) == 0 {
			return fmt.Errorf("nothing is trained yet")
		}
		if last := history[len(history)-1]; last.workers != workers || last.last-last.first < saveEvery {
			return fmt.Errorf("it is %s", last)
		}
		return nil
	}
}

func (s *stage) verdict(name string, want v1alpha1.Verdict, limit time.Duration) {
	s.t.Helper()
	s.eventually(fmt.Sprintf("%s is %s", name, want), limit, func() error {
		if e := s.elasticJob(name); e.Status.Verdict != want {
			return fmt.Errorf("it is %s: %s", e.Status.Verdict, e.Status.Message)
		}
		return nil
	})
}

// A job starts on the one GPU that is free, grows as GPUs become free because its deadline needs them, and is in time.
// One worker would take 1152 s for it, two 576 s, and four 288 s, if they did nothing else. It waits for Takt to start
// it, which tells its workers how others can join them.
func TestRealTrainingGrowsToMeetItsDeadline(t *testing.T) {
	s := newStage(t)
	s.hold("one", 1)
	s.hold("two", 2)
	s.awaitPod("one")
	s.awaitPod("two")
	j := job{name: "grows", deadline: 560 * time.Second, least: 1, most: 4, workers: 4, steps: 300,
		sample: 80 * time.Millisecond, suspended: true}
	watch := s.watch(j.name, "PyTorch, train.py, which grows twice")
	folder := s.submit(j)
	s.trains(folder, 1)
	s.release("one")
	s.trains(folder, 2)
	s.release("two")
	s.trains(folder, 4)
	s.verdict(j.name, v1alpha1.VerdictMet, j.deadline)
	watch.tell()
	all := records(t, folder)
	checkTraining(t, all, j.steps)
	if got := sizes(rounds(all)); !slices.Equal(got, []int{1, 2, 4}) {
		t.Errorf("it was trained by %v workers, want 1, 2 and 4, each started once", got)
	}
	s.checkResizes(j.name, rounds(all))
}

// A job that has time gives two of its four GPUs to a pod that needs them, and ends right.
func TestRealTrainingMakesRoom(t *testing.T) {
	s := newStage(t)
	j := job{
		name: "shrinks", deadline: 15 * time.Minute, least: 1, most: 4, workers: 4, steps: 120, sample: 20 * time.Millisecond,
	}
	s.makesRoom(j)
}

// makesRoom has a job of four workers give two of its GPUs to a pod that needs them, and end right.
func (s *stage) makesRoom(j job) {
	s.t.Helper()
	folder := s.submit(j)
	s.trains(folder, 4)
	s.hold("newcomer", 2)
	s.awaitPod("newcomer")
	s.trains(folder, 2)
	s.verdict(j.name, v1alpha1.VerdictMet, patience)
	all := records(s.t, folder)
	checkTraining(s.t, all, j.steps)
	if got := sizes(rounds(all)); !slices.Equal(got, []int{4, 2}) {
		s.t.Errorf("it was trained by %v workers, want 4 and 2, each started once", got)
	}
	s.checkResizes(j.name, rounds(all))
}
