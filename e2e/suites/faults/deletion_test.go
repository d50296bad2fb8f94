package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// doomed is a job that is to be deleted on its way.
var doomed = scenario{play: func(w *world.World) {
	known(w)
	w.Nodes(1, 2)
	w.PyTorchJob("doomed", job(world.Job{Workers: 2, Min: 2, Suspended: true, Deadline: "200h", Profile: profile}))
	w.Eventually("it is gone, or trains with a promise", patience, func() error {
		if exists(w, "doomed") != nil {
			return nil
		}
		if err := world.Want("running workers", w.Running("doomed"), 2); err != nil {
			return err
		}
		if err := hasPromise(w, "doomed"); err != nil {
			return err
		}
		return resting(w, "doomed")
	})
}}

// exists is an error if there is no such job.
func exists(w *world.World, name string) error {
	job := w.TrainingJob("PyTorchJob", name)
	return w.Client.Get(context.Background(), client.ObjectKeyFromObject(job), job)
}

// TestAJobThatIsDeletedBetweenTwoWritesLeavesNothing deletes a job right before each write of its life, or
// some of them.
func TestAJobThatIsDeletedBetweenTwoWritesLeavesNothing(t *testing.T) {
	t.Parallel()
	var count tally
	count.print(t, "deletions half way")
	writes := doomed.without(t).writes
	each := make([]int, writes)
	for i := range each {
		each[i] = i + 1
	}
	for _, k := range extent.Some(t, each, 3) {
		t.Run(fmt.Sprintf("before write %d", k), func(t *testing.T) {
			t.Parallel()
			injector := New(uint64(k))
			var here atomic.Pointer[world.World]
			injector.Refuse = func(write Write, _ *rand.Rand) Answer {
				w := here.Load()
				if write.Number != k || w == nil {
					return Answer{}
				}
				now := client.PropagationPolicy(metav1.DeletePropagationBackground)
				if err := w.Client.Delete(t.Context(), w.TrainingJob("PyTorchJob", "doomed"), now); err != nil {
					return Answer{}
				}
				return Answer{Then: errInjected}
			}
			w := newWorld(t, doomed, injector)
			here.Store(w)
			doomed.play(w)
			injector.StopFaults()
			if injector.Injected() == 0 { // it has come to rest with fewer writes
				w.Delete(w.TrainingJob("PyTorchJob", "doomed"))
			}
			w.Eventually("nothing is left", world.Later, func() error {
				left := endingOf(w, t)
				return world.Want("jobs, ElasticJobs, Resizes and pods",
					len(left.Jobs)+len(left.ElasticJobs)+len(w.Resizes("doomed"))+len(left.Pods), 0)
			})
			if injector.Injected() > 0 {
				count.add(t, injector)
			}
		})
	}
}
