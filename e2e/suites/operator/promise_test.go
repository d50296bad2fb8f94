package operator

import (
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// notAdmitted is an error unless a job waits, for a reason that its condition gives with a sentence.
func notAdmitted(w *world.World, job, reason, sentence string) error {
	c := meta.FindStatusCondition(w.Job(job).Status.Conditions, v1alpha1.ConditionAdmitted)
	if c == nil {
		return errors.New("it has no condition Admitted")
	}
	if !strings.Contains(c.Message, sentence) {
		return errors.New("the message of the condition is: " + c.Message)
	}
	return errors.Join(world.Want("status", string(c.Status), "False"), world.Want("reason", c.Reason, reason),
		world.Want("pods", len(w.Workers(job)), 0))
}

// What the first run has learned says of the others from the start that two workers, the most that they
// may have, are too slow. A job that nothing is known of would be started to be measured.
func TestJobThatCannotBePromisedWaitsAndOneThatNeedsNoPromiseStarts(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 8)
	how := world.Steps(1800, training.Speed{Base: 20, Scaling: 0.95}) // 46 s with two workers
	w.PyTorchJob("first", world.Job{
		Workers: 1, Max: 2, Suspended: true, Deadline: "10m", Profile: "resnet", Training: how,
	})
	meet(t, w, "first")

	how.Total = 60000 // 26 min with two workers
	apply := func(name string, guarantee v1alpha1.Guarantee) {
		w.PyTorchJob(name, world.Job{Workers: 1, Max: 2, Suspended: true, Training: how})
		w.ElasticJob(name, v1alpha1.ElasticJobSpec{
			DeadlineAfter: "10m", Guarantee: guarantee, Profile: "resnet", Progress: v1alpha1.ProgressSpec{Total: "60000"},
		})
	}
	w.Eventually("what was learned is kept", world.Soon, func() error {
		profile := &v1alpha1.TrainingProfile{}
		if err := w.Client.Get(t.Context(), client.ObjectKey{Namespace: w.Namespace, Name: "resnet"}, profile); err != nil {
			return err
		}
		return world.Want("finished runs in the profile", len(profile.Status.Speeds) > 0, true)
	})
	apply("promise", v1alpha1.GuaranteePromise)
	apply("anyway", v1alpha1.GuaranteeBestEffort)
	w.Eventually("the one waits, and its condition says why", world.Soon, func() error {
		return notAdmitted(w, "promise", "NotPromised", "only once its deadline can be promised")
	})
	w.Eventually("the other starts anyway, and is told the truth", world.Soon, func() error {
		status := w.Job("anyway").Status
		if w.Running("anyway") == 0 {
			return errors.New("it does not run")
		}
		return world.Want("verdict", status.Verdict, v1alpha1.VerdictInfeasible)
	})
	w.Steadily("the one does not start", 3*time.Second, func() error {
		return errors.Join(world.Want("pods", len(w.Workers("promise")), 0),
			world.Want("Resizes", len(w.Resizes("promise")), 0))
	})
	w.Patch(w.Job("promise"), `{"spec":{"deadlineAfter":"3h"}}`)
	w.Eventually("with more time it is promised and starts", world.Soon, func() error {
		if w.Running("promise") == 0 {
			return errors.New("it does not run")
		}
		return errors.Join(world.IsTrue(w.Job("promise"), v1alpha1.ConditionAdmitted),
			world.Want("verdict", w.Job("promise").Status.Verdict, v1alpha1.VerdictOnTrack))
	})
}
