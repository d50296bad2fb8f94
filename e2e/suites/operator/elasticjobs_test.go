package operator

import (
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/world"
)

// owned is an error unless an ElasticJob goes with the PyTorchJob of its name.
func owned(w *world.World, name string) error {
	for _, owner := range w.Job(name).OwnerReferences {
		if owner.UID == w.Read("PyTorchJob", name).GetUID() {
			return nil
		}
	}
	return fmt.Errorf("ElasticJob %s is not owned by its job", name)
}

func TestAnElasticJobWaitsForItsJobAndThenGoesWithIt(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1)
	w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{})
	w.Eventually("it says that there is no job", world.Soon, func() error {
		return refused(w.Job("resnet"), "JobNotFound", "There is no PyTorchJob/resnet in namespace "+w.Namespace, "create it")
	})
	w.PyTorchJob("resnet", world.Job{Suspended: true})
	w.Eventually("the job is taken up", world.Soon, func() error {
		return errors.Join(runs(w, "resnet", 1), owned(w, "resnet"), world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted))
	})
	w.Delete(w.TrainingJob("PyTorchJob", "resnet"))
	w.Eventually("it goes with its job", world.Soon, func() error { return gone(w) })
}

func TestAnElasticJobAdoptsAJobThatRunsWithoutDisturbingIt(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	w.PyTorchJob("resnet", world.Job{Workers: 2, Min: 2, Max: 4, Change: mayRestart(20)})
	w.Eventually("the job runs", world.Soon, func() error { return world.Want("running", w.Running("resnet"), 2) })
	w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{})
	w.Eventually("it is adopted, and grows", world.Soon, func() error { return errors.Join(owned(w, "resnet"), runs(w, "resnet", 4)) })
	if err := w.History.Undisturbed("resnet-worker-0", "resnet-worker-1"); err != nil {
		t.Error(err)
	}
}

func TestAnElasticJobAdoptsAJobThatIsSuspended(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 2)
	w.PyTorchJob("resnet", world.Job{Workers: 2, Min: 2, Suspended: true})
	w.Steadily("nobody starts a job that says nothing to Takt", 2*time.Second, func() error {
		return world.Want("pods", len(w.Workers("resnet")), 0)
	})
	w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{})
	w.Eventually("it is adopted, and started", world.Soon, func() error { return errors.Join(owned(w, "resnet"), runs(w, "resnet", 2)) })
}

func TestOfTwoElasticJobsForOneJobTheOlderWins(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 2)
	w.PyTorchJob("resnet", world.Job{Suspended: true})
	older := w.ElasticJob("older", v1alpha1.ElasticJobSpec{JobRef: v1alpha1.JobReference{Name: "resnet"}})
	w.Eventually("the job is taken up", world.Soon, func() error { return runs(w, "resnet", 1) })
	w.Eventually("the clock has moved on", world.Soon, func() error {
		return world.Want("another second", time.Now().Unix() != older.CreationTimestamp.Unix(), true)
	})
	w.ElasticJob("newer", v1alpha1.ElasticJobSpec{JobRef: v1alpha1.JobReference{Name: "resnet"}})
	w.Eventually("the newer says that the job is taken", world.Soon, func() error {
		return refused(w.Job("newer"), "JobTaken", "ElasticJob older looks after PyTorchJob/resnet already", "delete one of the two")
	})
	w.Steadily("the older goes on as if nothing had happened", 3*time.Second, func() error {
		return errors.Join(world.IsTrue(w.Job("older"), v1alpha1.ConditionAdmitted), world.Want("resizes", len(w.Resizes("newer")), 0))
	})
	w.Delete(older)
	w.Eventually("the newer takes over", world.Soon, func() error { return world.IsTrue(w.Job("newer"), v1alpha1.ConditionAdmitted) })
	if err := w.History.Undisturbed("resnet-worker-0"); err != nil {
		t.Error(err)
	}
}

func TestAShorthandThatCannotBeReadIsToldOnceAndChangesNothing(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1)
	w.PyTorchJob("resnet", world.Job{Deadline: "tomorrow"})
	warnings := func() (list []corev1.Event) {
		var all corev1.EventList
		if err := w.Client.List(t.Context(), &all, client.InNamespace(w.Namespace)); err != nil {
			t.Fatal(err)
		}
		for _, e := range all.Items {
			if e.Type == corev1.EventTypeWarning && e.ReportingController == "takt" && e.InvolvedObject.Name == "resnet" {
				list = append(list, e)
			}
		}
		return list
	}
	w.Eventually("an event on the job says what is wrong, and what would be right", world.Soon, func() error {
		list := warnings()
		if len(list) != 1 {
			return fmt.Errorf("%d warnings", len(list))
		}
		return errors.Join(world.Want("reason", list[0].Reason, "InvalidShorthand"), world.Want("kind", list[0].InvolvedObject.Kind, "PyTorchJob"),
			says(list[0].Message, `takt.dev/deadline is "tomorrow"`, "a time span such as 6h, or a moment such as 2026-11-21T18:00:00Z"))
	})
	w.Steadily("it is not said again, though the job reports its progress", 4*time.Second, func() error {
		return errors.Join(world.Want("warnings", len(warnings()), 1), world.Want("ElasticJob", w.Job("resnet").Name, ""))
	})
	leftAlone(t, w)
	w.Patch(w.TrainingJob("PyTorchJob", "resnet"), `{"metadata":{"annotations":{"takt.dev/deadline":"6h"}}}`)
	w.Eventually("once it is put right, the ElasticJob is made", world.Soon, func() error {
		return world.Want("deadlineAfter", w.Job("resnet").Spec.DeadlineAfter, "6h")
	})
}
