package faults

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// patience is a limit for what takes seconds without faults on a machine that has nothing else to do.
const patience = 8 * time.Minute

// scenario is a part of a job's life that comes to rest.
type scenario struct {
	// play makes the objects, and waits for what has to come about on the way.
	play func(w *world.World)
	// settings changes those of the operator.
	settings func(*settings.Settings)
}

// endless trains far longer than a test, and fast is a training that is soon done.
func endless() training.Spec {
	return training.Spec{
		Total: 1e7, StepsPerSecond: training.Speed{Base: 100, Scaling: 0.95},
		Restart:         metav1.Duration{Duration: 200 * time.Millisecond},
		CheckpointEvery: metav1.Duration{Duration: time.Second},
	}
}

func job(j world.Job) world.Job {
	if j.Training.Total == 0 {
		j.Training = endless()
	}
	j.StopAfter = "200ms"
	return j
}

// scenarios are the core of what Takt does. The size that each comes to is the only one possible, so
// that what was learned in a run makes no difference.
var scenarios = map[string]scenario{
	"a suspended job starts, grows and holds":           {play: grows("PyTorchJob", false)},
	"a job gives workers back to a newcomer":            {play: givesWay("PyTorchJob", false)},
	"a job is stopped to be grown":                      {play: grows("PyTorchJob", true)},
	"an Indexed Job grows while it trains":              {play: grows("Job", false)},
	"an Indexed Job gives workers back while it trains": {play: givesWay("Job", false)},
	"an Indexed Job is stopped to be grown":             {play: grows("Job", true)},
	"an Indexed Job is stopped to be made smaller":      {play: givesWay("Job", true)},
	"a growth finds no place and is taken back": {
		settings: func(s *settings.Settings) {
			s.Resizes.PlaceWithin.Duration, s.Resizes.SettleAfter.Duration = 8*time.Second, 4*time.Second
			s.Resizes.RetryAfter.Duration = time.Hour
		},
		play: func(w *world.World) {
			known(w)
			w.Nodes(1, 4)
			w.PyTorchJob("hermit", job(world.Job{
				Max: 3, Deadline: "200h", Guarantee: "Promise", Profile: profile, Change: onePerNode,
			}))
			w.Eventually("a growth was taken back", patience, func() error {
				return ended(w, "hermit", v1alpha1.ConditionRolledBack)
			})
			promised(w, "hermit")
		},
	},
	"a job is stopped for another and comes back": {play: func(w *world.World) {
		known(w)
		w.Nodes(1, 2)
		knownJob(w, "filler", world.Job{Workers: 2, Min: 2}, "")
		size(w, "filler", 2)
		knownJob(w, "urgent", world.Job{Workers: 2, Min: 2}, "200h")
		size(w, "urgent", 2)
		size(w, "filler", 0)
		w.Delete(w.TrainingJob("PyTorchJob", "urgent"))
		size(w, "filler", 2)
	}},
	"a short job meets its deadline": {play: func(w *world.World) {
		w.Nodes(1, 2)
		short := endless()
		short.Total = 1000 // 5 seconds
		w.PyTorchJob("short", job(world.Job{Workers: 2, Min: 2, Suspended: true, Deadline: "1h", Training: short}))
		w.Eventually("it is done", patience, func() error {
			return world.IsTrue(w.Job("short"), v1alpha1.ConditionSucceeded)
		})
	}},
}

// grows has a job of a kind start with what there is, and grow once there is more.
func grows(kind string, cold bool) func(w *world.World) {
	return func(w *world.World) {
		known(w)
		w.Nodes(1, 2)
		knownOf(w, kind, "resnet", world.Job{Cold: cold, Max: 3}, "200h")
		size(w, "resnet", 2)
		promised(w, "resnet")
		w.Nodes(1, 2)
		size(w, "resnet", 3)
	}
}

// givesWay has a job of a kind fill what there is, and give half of it to one with a deadline.
func givesWay(kind string, cold bool) func(w *world.World) {
	return func(w *world.World) {
		known(w)
		w.Nodes(1, 4)
		knownOf(w, kind, "filler", world.Job{Cold: cold, Max: 4}, "")
		size(w, "filler", 4)
		knownOf(w, kind, "newcomer", world.Job{Cold: cold, Workers: 2, Min: 2}, "200h")
		size(w, "newcomer", 2)
		promised(w, "newcomer")
		size(w, "filler", 2)
	}
}

// profile is what earlier runs of the same training have left.
const profile = "known"

// known makes that profile: the speed is known at every size.
func known(w *world.World) {
	object := &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: profile}}
	w.Make(object)
	now := v1alpha1.NewTime(time.Now())
	object.Status = v1alpha1.TrainingProfileStatus{Unit: "steps", Jobs: 1, UpdatedAt: now}
	for workers := range int32(4) {
		for nodes := range min(workers+1, 2) {
			object.Status.Speeds = append(object.Status.Speeds, v1alpha1.MeasuredSpeed{
				Run: "earlier", GPU: w.Namespace + "-GPU", Workers: workers + 1, Nodes: nodes + 1, Count: 1000, UpdatedAt: now,
				PerSecond: v1alpha1.NewDecimal(endless().StepsPerSecond.Of(int(workers) + 1)), Spread: v1alpha1.NewDecimal(1),
			})
		}
	}
	for _, kind := range []v1alpha1.RestartKind{v1alpha1.RestartStart, v1alpha1.RestartLive, v1alpha1.RestartCold} {
		object.Status.Restarts = append(object.Status.Restarts, v1alpha1.MeasuredRestart{
			Run: "earlier", Kind: kind, PauseMilliseconds: 500, Count: 10, UpdatedAt: now,
		})
	}
	w.MakeStatus(object)
}

// knownJob makes a suspended PyTorchJob of which the work and the speed are known, and its ElasticJob.
func knownJob(w *world.World, name string, j world.Job, deadline string) {
	knownOf(w, "PyTorchJob", name, j, deadline)
}

// knownOf makes such a job of a kind.
func knownOf(w *world.World, kind, name string, j world.Job, deadline string) {
	total := endless().Total
	least, most := int32(max(j.Min, 1)), int32(max(j.Max, j.Workers))
	w.ElasticJob(name, v1alpha1.ElasticJobSpec{
		JobRef:        v1alpha1.JobReference{Kind: kind},
		DeadlineAfter: v1alpha1.Duration(deadline), Guarantee: v1alpha1.GuaranteePromise, Profile: profile,
		Workers:  v1alpha1.WorkerRange{Min: &least, Max: &most},
		Progress: v1alpha1.ProgressSpec{Total: v1alpha1.NewDecimal(total)},
	})
	j.Suspended = true
	w.Train(kind, name, job(j))
}

// onePerNode has a node room for one worker: something that is only known once the scheduler tries.
func onePerNode(job *unstructured.Unstructured) {
	world.OnePerNode(job)
	if err := unstructured.SetNestedField(job.Object, int64(100), "spec", "elasticPolicy", "maxRestarts"); err != nil {
		panic(err)
	}
}

// size waits until so many workers of a job run, and its size rests.
func size(w *world.World, name string, workers int) {
	w.Eventually(fmt.Sprintf("%s has %d workers", name, workers), patience, func() error {
		if err := world.Want("running workers", w.Running(name), workers); err != nil {
			return err
		}
		if err := world.Want("declared workers", w.Job(name).Status.Workers.Desired, int32(workers)); err != nil {
			return err
		}
		return resting(w, name)
	})
}

// resting is an error while a Resize of a job is under way.
func resting(w *world.World, name string) error {
	for _, r := range w.Resizes(name) {
		switch phase := world.Phase(r); phase {
		case v1alpha1.ConditionSucceeded, v1alpha1.ConditionRolledBack, v1alpha1.ConditionFailed:
		default:
			return fmt.Errorf("resize %s is %s", r.Name, phase)
		}
	}
	return nil
}

// ended is an error unless a Resize of a job has ended so.
func ended(w *world.World, name, how string) error {
	for _, r := range w.Resizes(name) {
		if world.Phase(r) == how {
			return nil
		}
	}
	return fmt.Errorf("no resize of %s is %s", name, how)
}

func promised(w *world.World, name string) {
	w.Eventually("its deadline is promised", patience, func() error { return hasPromise(w, name) })
}

// hasPromise is an error unless the deadline of a job is promised.
func hasPromise(w *world.World, name string) error {
	c := meta.FindStatusCondition(w.Job(name).Status.Conditions, v1alpha1.ConditionAdmitted)
	if c == nil {
		return errors.New("nothing is said of a promise")
	}
	return world.Want("reason", c.Reason, "Promised")
}

// newWorld is a world for a scenario, with short spans of time.
func newWorld(t *testing.T, s scenario, i *Injector) *world.World {
	t.Helper()
	return world.New(t, world.Options{Start: i.Start, ReportEvery: 500 * time.Millisecond,
		Settings: func(o *settings.Settings) {
			o.Progress.Every.Duration = 300 * time.Millisecond
			o.Resizes.SteadyFor.Duration = time.Second
			o.API.Workers = 2
			// No limit of time may run out because the machine is busy: that is another scenario.
			world.Allow(&o.Resizes, time.Minute)
			if s.settings != nil {
				s.settings(o)
			}
		}})
}
