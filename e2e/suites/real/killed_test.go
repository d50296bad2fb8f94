package real

import (
	"fmt"
	"slices"
	"strings"
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

// In the middle of a growth the operator is killed, and the scheduler; in the middle of a shrink a worker that stays
// is. The training ends right all the same, without the agent and with it.
func TestRealTrainingOutlivesThoseWhoResizeIt(t *testing.T) {
	withoutAndWithAgent(t, outlivesThoseWhoResizeIt)
}

// withoutAndWithAgent plays a story twice.
func withoutAndWithAgent(t *testing.T, story func(t *testing.T, s *stage)) {
	needsRealTraining(t)
	t.Run("alone", func(t *testing.T) { story(t, newStage(t)) })
	t.Run("agent", func(t *testing.T) {
		s := newStage(t)
		s.withAgent()
		story(t, s)
	})
}

func outlivesThoseWhoResizeIt(t *testing.T, s *stage) {
	t.Helper()
	s.hold("others", 2)
	s.awaitPod("others")
	j := job{name: "tough", deadline: 20 * time.Minute, least: 1, most: 4, workers: 4, steps: 400,
		sample: 20 * time.Millisecond, suspended: true}
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

// In the middle of a growth the node is switched off that the new workers are on, and in the middle of a shrink that of
// the workers who stay. Both come back, and the training ends right.
func TestRealTrainingOutlivesItsNodes(t *testing.T) { withoutAndWithAgent(t, outlivesItsNodes) }

func outlivesItsNodes(t *testing.T, s *stage) {
	t.Helper()
	s.hold("others", 2)
	s.awaitPod("others")
	far := s.nodeOf("others")
	j := job{name: "tougher", deadline: 20 * time.Minute, least: 1, most: 4, workers: 4, steps: 600,
		sample: 20 * time.Millisecond, suspended: true}
	folder := s.submit(j)
	s.trains(folder, 2)
	near := s.nodeOf(j.name + "-worker-0")
	s.release("others")
	s.underWay(j.name, 2)
	s.switchOffAndOn(far)
	s.trains(folder, 4)
	s.hold("newcomer", 2)
	s.underWay(j.name, 4)
	s.switchOffAndOn(near)
	s.verdict(j.name, v1alpha1.VerdictMet, j.deadline)
	all := records(t, folder)
	checkTraining(t, all, j.steps)
	if got := sizes(rounds(all)); got[0] != 2 || !slices.Contains(got, 4) {
		t.Errorf("it was trained by %v workers, want 2, 4 and fewer", got)
	}
}

// nodeOf is the node that a pod is on.
func (s *stage) nodeOf(pod string) string {
	s.t.Helper()
	return s.apply("", "get", "pod", pod, "-o", "jsonpath={.spec.nodeName}")
}

// switchOffAndOn ends all that is on a node, as if its power was lost for a moment.
func (s *stage) switchOffAndOn(node string) {
	s.t.Helper()
	machine := strings.Replace(node, "real", "machine", 1)
	s.component("kill", machine)
	s.component("restart", machine)
}

// component kills or restarts a part of the control plane.
func (s *stage) component(what, name string) {
	s.t.Helper()
	if err := home.Component(s.t.Context(), what, name); err != nil {
		s.t.Fatal(err)
	}
}
