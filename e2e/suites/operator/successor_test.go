package operator

import (
	"errors"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

func TestSuccessorKnowsWhatTheOperatorBeforeItKnew(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kind string
		end  func(*world.World)
	}{
		"that was stopped":                      {"PyTorchJob", (*world.World).StopOperator},
		"that has crashed":                      {"PyTorchJob", (*world.World).KillOperator},
		"that was stopped, with an Indexed Job": {"Job", (*world.World).StopOperator},
		"that has crashed, with an Indexed Job": {"Job", (*world.World).KillOperator},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{Start: world.Operate})
			w.Nodes(1, 4)
			how := code(28800) // two workers take 13 min, of an hour
			w.Train(tc.kind, "resnet", world.Job{
				Workers: 2, Min: 2, Max: 4, Suspended: true, Deadline: "1h", Guarantee: "Promise", Training: how,
			})
			w.Eventually("its deadline is promised, and what it learns is kept", world.Later, func() error {
				status := w.Job("resnet").Status
				return errors.Join(promised(status), world.Want("it is kept", status.Memory != "", true),
					world.Want("verdict", status.Verdict, v1alpha1.VerdictOnTrack),
					world.Want("it was measured for a while", status.Progress.PartsPerMillion > 60_000, true))
			})
			tc.end(w)
			before, known := len(statuses(w, "resnet")), w.Job("resnet").Status.Progress.PartsPerMillion
			w.StartOperator()
			w.Eventually("the next one reads on", world.Soon, func() error {
				read := w.Job("resnet").Status.Progress.PartsPerMillion
				return world.Want("it has read more than the one before", read > known, true)
			})
			w.Hurry(tc.kind, "resnet", how)
			verdictOf(w, "resnet", world.Later, v1alpha1.VerdictMet)

			for _, status := range statuses(w, "resnet")[before-1:] {
				if err := promised(status); err != nil {
					t.Error(err)
				}
				if status.Verdict != v1alpha1.VerdictOnTrack && status.Verdict != v1alpha1.VerdictMet {
					t.Errorf("the verdict was %s: %s", status.Verdict, status.Message)
				}
			}
		})
	}
}

// promised is an error unless the deadline of a job is promised.
func promised(status v1alpha1.ElasticJobStatus) error {
	c := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionAdmitted)
	if c == nil || c.Status != "True" || c.Reason != "Promised" {
		return fmt.Errorf("its deadline is not promised: %v", c)
	}
	return nil
}
