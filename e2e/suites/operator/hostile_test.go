package operator

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/extent"
	"github.com/takt-dev/takt/e2e/training"
	"github.com/takt-dev/takt/e2e/world"
)

// A tenant who changes his deadlines all the time, lies about how far his jobs are, and has pods that never answer,
// costs nobody else a deadline, and nobody else is resized all the time for him.
func TestAHostileTenantCostsNobodyElseADeadline(t *testing.T) {
	t.Parallel()
	aSecond := extent.Of(10, 100)
	h := hanging(t)
	hostile := world.New(t, world.Options{})
	w := world.New(t, beside(hostile))
	w.Nodes(2, 8)
	queue := w.Queue("humble", v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(8))})
	his := make([]*unstructured.Unstructured, 8)
	for i := range his {
		his[i] = w.PyTorchJob(fmt.Sprintf("hostile-%d", i), world.Job{
			Still: true, Suspended: true, Workers: 2, Max: 8, Deadline: "1h",
			Change: func(job *unstructured.Unstructured) {
				job.SetNamespace(hostile.Namespace)
				scraped(h.port)(job)
			},
		})
	}
	var harassing sync.WaitGroup
	var changes atomic.Int32
	over := make(chan struct{})
	defer func() {
		close(over)
		harassing.Wait()
		if t.Logf("he has made %d changes", changes.Load()); changes.Load() < 100 {
			t.Error("too few: this proves little")
		}
	}()
	every := time.Second * time.Duration(len(his)) / time.Duration(aSecond)
	for i, job := range his {
		harassing.Go(func() { harass(t, w.Client, job, rand.New(rand.NewPCG(1, uint64(i))), every, &changes, over) })
	}
	humble := map[string]world.Job{
		"planned":  {Suspended: true, Max: 4, Deadline: "4m", Training: world.Steps(1600, training.Speed{Base: 10, Scaling: 0.9})},
		"promised": {Suspended: true, Max: 4, Deadline: "4m", Guarantee: "Promise", Training: world.Steps(1600, training.Speed{Base: 10, Scaling: 0.9})},
		"cold":     {Suspended: true, Max: 4, Deadline: "4m", Cold: true, Training: world.Steps(1600, training.Speed{Base: 10, Scaling: 0.9})},
	}
	for name, job := range humble {
		job.Queue = queue
		w.PyTorchJob(name, job)
	}
	for name := range humble {
		w.Eventually(name+" is in time", 5*time.Minute, func() error {
			return world.Want("verdict", w.Job(name).Status.Verdict, v1alpha1.VerdictMet)
		})
		const many = 8
		if n := len(w.Resizes(name)); n > many {
			t.Errorf("%s was resized %d times", name, n)
		}
	}
}

// harass changes what is written on a job, again and again, and counts how often it has.
func harass(t *testing.T, c client.Client, job *unstructured.Unstructured, random *rand.Rand, every time.Duration, changes *atomic.Int32, over <-chan struct{}) {
	deadlines := []string{"30s", "2m", "10m", "1h", "3h", "2d", "never"}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"takt.dev/deadline":%q,"takt.dev/progress":"%d/1000 steps"}}}`,
			deadlines[random.IntN(len(deadlines))], random.IntN(1001))
		err := c.Patch(t.Context(), job.DeepCopy(), client.RawPatch("application/merge-patch+json", patch))
		if err != nil && !apierrors.IsConflict(err) && t.Context().Err() == nil {
			t.Errorf("harassing: %v", err)
			return
		}
		changes.Add(1)
	}
}
