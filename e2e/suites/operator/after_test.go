package operator

import (
	"errors"
	"fmt"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/shorthand"
)

// A job that names another starts once that has succeeded, though GPUs are free before, and remembers that it did.
func TestAJobStartsWhenTheOneBeforeItHasSucceeded(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	second := code(6000)
	w.PyTorchJob("evaluate", world.Job{
		Suspended: true, Deadline: "1h", Annotations: map[string]string{shorthand.AfterAnnotation: "prepare"},
		Training: second,
	})
	w.Eventually("the job waits for one that is not there, and says so", world.Soon, func() error {
		return tells(w, "evaluate", "It waits for prepare to succeed, and there is no ElasticJob of that name in namespace "+
			w.Namespace)
	})
	first := code(12000) // ten minutes
	w.PyTorchJob("prepare", world.Job{Suspended: true, Queue: "default", Training: first})
	w.Eventually("the first job runs, and the other waits for it", world.Later, func() error {
		return errors.Join(world.Want("running", w.Running("prepare"), 1),
			tells(w, "evaluate", "It waits for prepare to succeed"))
	})
	w.Hurry("PyTorchJob", "prepare", first)
	w.Eventually("the other starts", world.Later, func() error { return world.Want("running", w.Running("evaluate"), 1) })
	if err := world.IsTrue(w.Job("prepare"), v1alpha1.ConditionSucceeded); err != nil {
		t.Errorf("it starts too soon: %v", err)
	}
	if err := w.Client.Delete(t.Context(), w.TrainingJob("PyTorchJob", "prepare"),
		client.PropagationPolicy("Background")); err != nil {
		t.Fatal(err)
	}
	w.Hurry("PyTorchJob", "evaluate", second)
	w.Eventually("it ends, though the one before it is gone", world.Later, func() error {
		job := w.Job("evaluate")
		if len(job.Status.After) != 1 || job.Status.After[0].Name != "prepare" {
			return fmt.Errorf("it does not remember: %+v", job.Status.After)
		}
		return world.IsTrue(job, v1alpha1.ConditionSucceeded)
	})
}
