package real

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// underWay waits until the job has a Resize from one size that has not ended.
func (s *stage) underWay(name string, from int32) {
	s.t.Helper()
	s.eventually(fmt.Sprintf("%s is resized from %d workers", name, from), patience, func() error {
		for _, r := range s.resizes(name) {
			if r.Spec.From == from && r.Status.Reached != "" && r.Ending() == nil {
				return nil
			}
		}
		return fmt.Errorf("there are %d Resizes", len(s.resizes(name)))
	})
}

// In the middle of a growth the operator is killed, and the scheduler; in the middle of a shrink a worker that stays is. The
// training ends right all the same.
func TestRealTrainingOutlivesThoseWhoResizeIt(t *testing.T) {
	s := newStage(t)
	s.hold("others", 2)
	s.awaitPod("others")
	j := job{name: "tough", deadline: 20 * time.Minute, least: 1, most: 4, workers: 4, steps: 400, sample: 20 * time.Millisecond, suspended: true}
	folder := s.submit(j)
	s.trains(folder, 2)
	s.release("others")
	s.underWay(j.name, 2)
	s.killOperator()
	s.component("kill", "kube-scheduler")
	s.component("restart", "kube-scheduler")
	s.startOperator()
	s.trains(folder, 4)
	s.hold("newcomer", 2)
	s.underWay(j.name, 4)
	s.kubectl("delete", "pod", j.name+"-worker-1", "--grace-period=0", "--force", "--wait=false")
	s.awaitPod("newcomer")
	s.trains(folder, 2)
	s.verdict(j.name, v1alpha1.VerdictMet, j.deadline)
	all := records(t, folder)
	checkTraining(t, all, j.steps)
	if got := sizes(rounds(all)); got[0] != 2 || got[len(got)-1] != 2 || !slices.Contains(got, 4) {
		t.Errorf("it was trained by %v workers, want 2, 4 and 2", got)
	}
}

// component kills or restarts a part of the control plane.
func (s *stage) component(what, name string) {
	s.t.Helper()
	if err := home.Component(s.t.Context(), what, name); err != nil {
		s.t.Fatal(err)
	}
}
