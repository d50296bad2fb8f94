package real

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
)

// Two workers are to leave, and the others have forgotten them already, when nobody needs their GPUs any more, and the
// operator is killed. Its successor lets them stay: all train on as if nothing had been, and end right together.
func TestRealTrainingGoesOnWithThoseWhoWereToLeave(t *testing.T) {
	s := newStage(t)
	s.withAgent()
	j := job{
		name: "reprieved", deadline: 20 * time.Minute, least: 1, most: 4, workers: 4, steps: 60,
		sample: 200 * time.Millisecond, suspended: true, options: ", --checkpoint-every=1000, --save-on-signal",
		podSays: `takt.dev/save-signal: SIGUSR1, takt.dev/checkpoint-pattern: "^Saved checkpoint "`,
	}
	folder := s.submit(j)
	s.trains(folder, 4)
	s.hold("newcomer", 2)
	for _, leaver := range []string{"reprieved-worker-2", "reprieved-worker-3"} {
		s.eventually(leaver+" is told to step aside", patience, func() error {
			if told := s.apply("", "get", "pod", leaver, "-o", "jsonpath={.metadata.annotations}"); !strings.Contains(told,
				contract.StepAsideAnnotation) {
				return fmt.Errorf("it has %s", told)
			}
			return nil
		})
	}
	s.killOperator()
	s.release("newcomer")
	for _, leaver := range []string{"reprieved-worker-2", "reprieved-worker-3"} {
		s.eventually(leaver+" is forgotten", patience, func() error { return s.forgotten(leaver) })
	}
	s.startOperator()
	s.verdict(j.name, v1alpha1.VerdictMet, patience)
	all := records(t, folder)
	checkTraining(t, all, j.steps)
	if history := rounds(all); len(history) != 1 || history[0].workers != 4 {
		t.Errorf("it was started anew: %v", history)
	}
	for _, r := range s.resizes(j.name) {
		t.Logf("%s: %d to %d is %s", r.Name, r.Spec.From, r.Spec.To, r.Status.Reached)
		if r.Spec.To == 2 && r.Status.Reached != v1alpha1.ConditionRolledBack {
			t.Errorf("%s is %s, though nobody needs its GPUs", r.Name, r.Status.Reached)
		}
	}
}

// forgotten objects as long as the agent of a worker does not say that the others have forgotten it.
func (s *stage) forgotten(worker string) error {
	said, err := home.Kubectl(s.t.Context(), "get", "--raw", fmt.Sprintf("/api/v1/namespaces/%s/pods/%s:%d/proxy%s",
		s.namespace, worker, contract.Port, contract.MetricsPath))
	if err != nil {
		return err
	}
	if strings.Contains(said, "\n"+contract.MetricAsideTook+" ") {
		return nil
	}
	return fmt.Errorf("its agent says %s", said)
}
