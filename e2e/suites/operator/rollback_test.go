package operator

import (
	"errors"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/settings"
)

// A node has room for one worker, whatever GPUs are free. Takt cannot tell that before it tries.
func TestGrowthThatFindsNoRoomIsRolledBackUnnoticedAndTriedAgainOnlyAfterAWhile(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		const hold = 6 * time.Second
		w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
			s.Resizes.SettleAfter = metav1.Duration{Duration: time.Second}
			s.Resizes.PlaceWithin = metav1.Duration{Duration: 40 * time.Second}
			s.Resizes.RetryAfter = metav1.Duration{Duration: hold}
		}})
		w.Nodes(1, 4)
		w.Train(kind, "resnet", world.Job{
			Workers: 1, Max: 4, Suspended: true, Queue: "default",
			Training: world.Steps(1e5, training.Speed{Base: 20, Scaling: 0.95}),
			Change:   world.OnePerNode,
		})
		w.Eventually("it runs", world.Later, func() error { return world.Want("running", w.Running("resnet"), 1) })
		first := w.Names("resnet")[0]
		rolledBack := func() (all []v1alpha1.Resize) {
			for _, r := range w.Resizes("resnet") {
				// One whose pods came late tells nothing of room.
				if end := r.Status.Conditions; world.Phase(r) == v1alpha1.ConditionRolledBack &&
					end[len(end)-1].Reason == string(resize.NothingFits) {
					all = append(all, r)
				}
			}
			return all
		}
		w.Eventually("it has been tried twice, in vain", world.Later, func() error {
			if n := len(rolledBack()); n < 2 {
				return fmt.Errorf("%d Resizes are rolled back", n)
			}
			return nil
		})
		w.Eventually("nothing is left of it", world.Soon, func() error {
			return errors.Join(world.Want("running", w.Running("resnet"), 1), world.Want("pods", len(w.Workers("resnet")), 1))
		})
		advances(w, "resnet")
		if err := w.History.Undisturbed(first); err != nil {
			t.Error(err)
		}
		tries := rolledBack()
		conditions := tries[0].Status.Conditions
		ended := conditions[len(conditions)-1]
		// Both moments are kept in whole seconds.
		if waited := tries[1].CreationTimestamp.Sub(ended.LastTransitionTime.Time); waited < hold-time.Second {
			t.Errorf("it was tried again after %v, want %v", waited, hold)
		}
	})
}
