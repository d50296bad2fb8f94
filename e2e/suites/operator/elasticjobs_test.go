package operator

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// owned is an error unless an ElasticJob goes with the job of its name.
func owned(w *world.World, name string) error {
	for _, owner := range w.Job(name).OwnerReferences {
		if owner.UID == w.Read(kindOf(w, name), name).GetUID() {
			return nil
		}
	}
	return fmt.Errorf("ElasticJob %s is not owned by its job", name)
}

func TestAnElasticJobWaitsForItsJobAndThenGoesWithIt(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 1)
		w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{JobRef: v1alpha1.JobReference{Kind: kind}})
		w.Eventually("it says that there is no job", world.Soon, func() error {
			return refused(w.Job("resnet"), "JobNotFound", "There is no "+kind+"/resnet in namespace "+w.Namespace, "create it")
		})
		w.Train(kind, "resnet", world.Job{Suspended: true})
		w.Eventually("the job is taken up", world.Soon, func() error {
			return errors.Join(runs(w, "resnet", 1), owned(w, "resnet"),
				world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted))
		})
		w.Delete(w.TrainingJob(kind, "resnet"))
		w.Eventually("it goes with its job", world.Soon, func() error { return gone(w) })
	})
}

func TestAnElasticJobAdoptsAJobThatRunsWithoutDisturbingIt(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 4)
		w.Train(kind, "resnet", world.Job{Workers: 2, Min: 2, Max: 4, Change: mayRestart(20)})
		w.Eventually("the job runs", world.Soon, func() error { return world.Want("running", w.Running("resnet"), 2) })
		first := w.Names("resnet")
		w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{JobRef: v1alpha1.JobReference{Kind: kind}})
		w.Eventually("it is adopted, and grows", world.Soon, func() error {
			return errors.Join(owned(w, "resnet"), runs(w, "resnet", 4))
		})
		if err := w.History.Undisturbed(first...); err != nil {
			t.Error(err)
		}
	})
}

func TestAnElasticJobAdoptsAJobThatIsSuspended(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 2)
		w.Train(kind, "resnet", world.Job{Workers: 2, Min: 2, Suspended: true})
		w.Steadily("nobody starts a job that says nothing to Takt", 2*time.Second, func() error {
			return world.Want("pods", len(w.Workers("resnet")), 0)
		})
		w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{JobRef: v1alpha1.JobReference{Kind: kind}})
		w.Eventually("it is adopted, and started", world.Soon, func() error {
			return errors.Join(owned(w, "resnet"), runs(w, "resnet", 2))
		})
	})
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
		return refused(w.Job("newer"), "JobTaken", "ElasticJob older looks after PyTorchJob/resnet already",
			"delete one of the two")
	})
	w.Steadily("the older goes on as if nothing had happened", 3*time.Second, func() error {
		return errors.Join(world.IsTrue(w.Job("older"), v1alpha1.ConditionAdmitted),
			world.Want("resizes", len(w.Resizes("newer")), 0))
	})
	w.Delete(older)
	w.Eventually("the newer takes over", world.Soon, func() error {
		return world.IsTrue(w.Job("newer"), v1alpha1.ConditionAdmitted)
	})
	if err := w.History.Undisturbed("resnet-worker-0"); err != nil {
		t.Error(err)
	}
}
