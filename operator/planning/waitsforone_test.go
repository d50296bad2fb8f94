package planning_test

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// waitsForOne is a job of which all but one worker have run for an hour, and how it differs from one that waits for it.
type waitsForOne struct {
	elastic  bool // it may train without
	busy     bool // its GPUs are in use
	told     bool // it has told how far it is
	replaced bool // another worker was there before
	passes   bool // the last worker is about to run
}

// objects are the job and its pods, and another one that waits for its GPUs.
func (c waitsForOne) objects(began time.Time) []client.Object {
	job := fixture.PyTorchJob("resnet", 4)
	if !c.elastic {
		fixture.ResizedByRestart(job)
	}
	pods := fixture.WorkersOf(job, 4, "node")
	for _, pod := range pods {
		pod.CreationTimestamp = metav1.NewTime(began)
	}
	unable(pods[3])
	if c.passes {
		pods[3].Status.ContainerStatuses = nil
	}
	if c.replaced {
		pods[3].CreationTimestamp = metav1.NewTime(began.Add(10 * time.Minute))
	}
	objects := []client.Object{fixture.Node("node", "4"), job, fixture.ElasticJob("resnet", fixture.BestEffort),
		fixture.PyTorchJob("bert", 4, fixture.SuspendedAtFirst), fixture.ElasticJob("bert", fixture.BestEffort)}
	for _, pod := range pods {
		objects = append(objects, pod)
	}
	return objects
}

// seen is what was seen of the job in the hour.
func (c waitsForOne) seen(known *memory.Job, began time.Time) {
	used := 0.0
	if c.busy {
		used = 50
	}
	for minute := range 60 {
		at := began.Add(time.Duration(minute) * time.Minute)
		known.SawUse(progress.Usage{GPUPercent: &used, At: at}, progress.IdleRule{BelowPercent: 5, For: 30 * time.Minute}, 4)
		if c.told {
			known.Run.Sample(progress.Sample{Done: float64(minute), Total: 100, Unit: "steps",
				Source: v1alpha1.ProgressLogs, At: at}, predictor.Shape{Workers: 4})
		}
	}
}

// Others have the GPUs of a job that trains with all of its workers or not at all, while one cannot run.
func TestAJobThatWaitsForAWorkerWhichCannotRunGivesItsGPUsToOthers(t *testing.T) {
	for name, c := range map[string]waitsForOne{
		"it waits":                          {},
		"it may train without":              {elastic: true},
		"its GPUs are in use":               {busy: true},
		"it has told how far it is":         {told: true},
		"another worker was there before":   {replaced: true},
		"its last worker is about to begin": {passes: true},
	} {
		t.Run(name, func(t *testing.T) {
			began := fixture.Start.Add(-time.Hour)
			o := fixture.Stopped(t, interceptor.Funcs{}, c.objects(began)...)
			s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
			if err != nil {
				t.Fatal(err)
			}
			c.seen(s.Known, began)
			fixture.Plans(t, o)
			stops := slices.Contains(fixture.ResizesOf(t, o), "resnet 4-0")
			if want := c == (waitsForOne{}); stops != want {
				t.Errorf("it is stopped: %t; %v", stops, fixture.ResizesOf(t, o))
			}
		})
	}
}
