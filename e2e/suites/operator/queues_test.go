package operator

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/ptr"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// runs is an error unless so many workers of a job run, and nothing is about to change that.
func runs(w *world.World, job string, workers int) error {
	for _, r := range w.Resizes(job) {
		if phase := world.Phase(r); phase != v1alpha1.ConditionSucceeded && phase != v1alpha1.ConditionRolledBack &&
			phase != v1alpha1.ConditionFailed {
			return fmt.Errorf("resize %s is under way: %s", r.Name, phase)
		}
	}
	return world.Want("running workers of "+job, w.Running(job), workers)
}

// use is an error unless the status of a queue says this.
func use(w *world.World, queue string, want v1alpha1.TrainingQueueStatus) error {
	q := w.TrainingQueue(queue)
	got := q.Status
	return errors.Join(world.Want("used", got.Used, want.Used), world.Want("borrowed", got.Borrowed, want.Borrowed),
		world.Want("promised", got.Promised, want.Promised), world.Want("running", got.Running, want.Running),
		world.Want("waiting", got.Waiting, want.Waiting),
		world.Want("observedGeneration", got.ObservedGeneration, q.Generation))
}

func TestAQueueGetsItsGuaranteeBackFromABorrowerThatShrinks(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 8)
	lender := w.Queue("lender", v1alpha1.TrainingQueueSpec{Guaranteed: ptr.To[int32](4)})
	borrower := w.Queue("borrower", v1alpha1.TrainingQueueSpec{Guaranteed: ptr.To[int32](4)})
	w.PyTorchJob("bert", world.Job{Workers: 4, Min: 4, Max: 8, Suspended: true, Queue: borrower})
	w.Eventually("bert borrows what nobody uses", world.Soon, func() error { return runs(w, "bert", 8) })
	w.Eventually("that is on record", world.Soon, func() error {
		return use(w, borrower, v1alpha1.TrainingQueueStatus{Used: 8, Borrowed: 4, Running: 1})
	})

	w.PyTorchJob("resnet", world.Job{Workers: 4, Min: 4, Max: 4, Suspended: true, Queue: lender})
	w.Eventually("resnet has what its queue is guaranteed", world.Soon, func() error {
		return errors.Join(runs(w, "resnet", 4), runs(w, "bert", 4))
	})
	w.Eventually("that is on record, too", world.Soon, func() error {
		return errors.Join(use(w, borrower, v1alpha1.TrainingQueueStatus{Used: 4, Running: 1}),
			use(w, lender, v1alpha1.TrainingQueueStatus{Used: 4, Running: 1}))
	})
	if err := w.History.Undisturbed("bert-worker-0", "bert-worker-1", "bert-worker-2", "bert-worker-3"); err != nil {
		t.Error("bert did not only shrink:", err)
	}
	for _, r := range w.Resizes("bert") {
		if r.Spec.To == 0 {
			t.Errorf("bert was stopped by %s: %s", r.Name, r.Spec.Message)
		}
	}
}

func TestAJobOfAQueueWithPriorityStartsFirst(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	busy := w.PlainPod("busy", 4)
	w.Eventually("the node is busy", world.Soon, func() error {
		return world.Want("has a node", w.Pod("busy").Spec.NodeName != "", true)
	})
	low := w.Queue("low", v1alpha1.TrainingQueueSpec{})
	high := w.Queue("high", v1alpha1.TrainingQueueSpec{Priority: ptr.To[int32](10)})
	w.PyTorchJob("early", world.Job{Workers: 4, Min: 4, Suspended: true, Queue: low})
	w.Eventually("the job of the low queue waits", world.Soon, func() error {
		return use(w, low, v1alpha1.TrainingQueueStatus{Waiting: 1})
	})
	w.PyTorchJob("late", world.Job{
		Workers: 4, Min: 4, Suspended: true, Queue: high, Training: world.Endless(),
	})
	w.Eventually("the job of the high queue waits, too", world.Soon, func() error {
		return use(w, high, v1alpha1.TrainingQueueStatus{Waiting: 1})
	})
	w.Delete(busy)
	w.Eventually("the later job of the higher queue runs", world.Soon, func() error {
		return world.Want("running", w.Running("late"), 4)
	})
	if got := w.History.Sizes("PyTorchJob", "early"); len(got) > 1 {
		t.Errorf("the job of the low queue was asked for the sizes %v before that", got)
	}
	w.Hurry("PyTorchJob", "late", world.Endless())
	w.Eventually("then the other", world.Soon, func() error { return world.Want("running", w.Running("early"), 4) })
}

func TestAQueueWithPriorityTakesFromOneWithoutByShrinking(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	low := w.Queue("low", v1alpha1.TrainingQueueSpec{})
	high := w.Queue("high", v1alpha1.TrainingQueueSpec{Priority: ptr.To[int32](10)})
	w.PyTorchJob("early", world.Job{Workers: 2, Min: 2, Max: 4, Suspended: true, Queue: low})
	w.Eventually("the job of the low queue has it all", world.Soon, func() error { return runs(w, "early", 4) })
	w.PyTorchJob("late", world.Job{Workers: 2, Min: 2, Suspended: true, Queue: high})
	w.Eventually("both run", world.Soon, func() error { return errors.Join(runs(w, "early", 2), runs(w, "late", 2)) })
	if err := w.History.Undisturbed("early-worker-0", "early-worker-1"); err != nil {
		t.Error(err)
	}
}

func TestAQueueNeverHasMoreThanItsLimit(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]struct {
		closed v1alpha1.TrainingQueueSpec
		open   string
	}{
		"limit": {v1alpha1.TrainingQueueSpec{Limit: ptr.To[int32](2)}, `{"spec":{"limit":4}}`},
		"guarantee, if it may not borrow": {
			v1alpha1.TrainingQueueSpec{Guaranteed: ptr.To[int32](2), Borrowing: v1alpha1.BorrowingForbid},
			`{"spec":{"borrowing":"Allow"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{Start: world.Operate})
			w.Nodes(1, 4)
			queue := w.Queue("small", spec.closed)
			w.PyTorchJob("resnet", world.Job{Workers: 1, Max: 4, Suspended: true, Queue: queue})
			w.Eventually("the job has all that its queue has", world.Soon, func() error { return runs(w, "resnet", 2) })
			w.PyTorchJob("bert", world.Job{Workers: 2, Min: 2, Suspended: true, Queue: queue})
			w.Eventually("another waits, and says why", world.Soon, func() error {
				return says(w.Job("bert").Status.Message, "its queue", queue, "has all the GPUs that it may have")
			})
			w.Steadily("the queue has no more", 4*time.Second, func() error { return atMost(w, 2, "resnet", "bert") })
			w.Patch(&v1alpha1.TrainingQueue{ObjectMeta: named(queue)}, spec.open)
			w.Eventually("the other runs as soon as the queue may have more", world.Soon, func() error {
				return world.Want("running", w.Running("bert"), 2)
			})
		})
	}
}

// atMost is an error if jobs have more running workers than that together.
func atMost(w *world.World, workers int, jobs ...string) error {
	sum := 0
	for _, job := range jobs {
		sum += w.Running(job)
	}
	if sum > workers {
		return fmt.Errorf("%d workers run, and no more than %d may", sum, workers)
	}
	return nil
}

// says is an error unless a sentence says all that is wanted.
func says(sentence string, want ...string) error {
	for _, text := range want {
		if !strings.Contains(sentence, text) {
			return fmt.Errorf("%q does not say %q", sentence, text)
		}
	}
	return nil
}

func TestAQueueSaysWhatItUses(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	queue := w.Queue("research", v1alpha1.TrainingQueueSpec{Guaranteed: ptr.To[int32](2)})
	w.PyTorchJob("dated", world.Job{
		Workers: 1, Max: 1, GPUs: 2, Suspended: true, Queue: queue, Deadline: "10h", Training: world.Steps(30000, tenASecond),
	})
	w.Eventually("a promise is counted", world.Soon, func() error {
		return use(w, queue, v1alpha1.TrainingQueueStatus{Used: 2, Promised: 2, Running: 1})
	})
	w.PyTorchJob("undated", world.Job{Workers: 2, Min: 2, Suspended: true, Queue: queue})
	w.Eventually("it has what is left", world.Soon, func() error { return runs(w, "undated", 2) })
	w.PyTorchJob("waiting", world.Job{Workers: 1, Suspended: true, Queue: queue})
	w.Eventually("what is borrowed is counted, and who waits", world.Soon, func() error {
		return use(w, queue, v1alpha1.TrainingQueueStatus{Used: 4, Borrowed: 2, Promised: 2, Running: 2, Waiting: 1})
	})
	for _, job := range []string{"dated", "undated", "waiting"} {
		w.Delete(w.TrainingJob("PyTorchJob", job))
	}
	w.Eventually("nothing is left", world.Soon, func() error { return use(w, queue, v1alpha1.TrainingQueueStatus{}) })
}

func TestAJobWaitsForAQueueThatDoesNotExist(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1)
	name := w.Namespace + "-later"
	w.PyTorchJob("resnet", world.Job{Suspended: true, Queue: name})
	w.Eventually("it says that there is no such queue", world.Soon, func() error {
		return refused(w.Job("resnet"), "QueueNotFound", "There is no TrainingQueue "+name, "create it, or name another")
	})
	leftAlone(t, w)
	if got := w.Queue("later", v1alpha1.TrainingQueueSpec{}); got != name {
		t.Fatalf("the queue is called %s", got)
	}
	w.Eventually("it runs as soon as there is", world.Soon, func() error {
		return errors.Join(world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted), runs(w, "resnet", 1))
	})
}

func TestAJobWaitsForAQueueThatItsNamespaceMayNotUse(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1)
	queue := w.Queue("closed", v1alpha1.TrainingQueueSpec{NamespaceSelector: &v1alpha1.NamespaceSelector{
		MatchLabels: map[string]v1alpha1.LabelValue{"team": v1alpha1.LabelValue(w.Namespace)},
	}})
	w.PyTorchJob("resnet", world.Job{Suspended: true, Queue: queue})
	w.Eventually("it says that it may not", world.Soon, func() error {
		return refused(w.Job("resnet"), "QueueNotAllowed", "Namespace "+w.Namespace+" may not use TrainingQueue "+queue)
	})
	leftAlone(t, w)
	w.Patch(namespace(w), fmt.Sprintf(`{"metadata":{"labels":{"team":%q}}}`, w.Namespace))
	w.Eventually("it runs as soon as it may", world.Soon, func() error {
		return errors.Join(world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted), runs(w, "resnet", 1))
	})
}
