package real

import (
	"cmp"
	"math"
	"slices"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// resizes are those of a job, in order.
func (s *stage) resizes(name string) []v1alpha1.Resize {
	s.t.Helper()
	var all v1alpha1.ResizeList
	if err := s.client.List(s.t.Context(), &all, client.InNamespace(s.namespace)); err != nil {
		s.t.Fatal(err)
	}
	mine := slices.DeleteFunc(all.Items, func(r v1alpha1.Resize) bool { return r.Spec.ElasticJob != name })
	slices.SortFunc(mine, func(a, b v1alpha1.Resize) int { return cmp.Compare(a.Spec.Epoch, b.Spec.Epoch) })
	return mine
}

// near is how far Takt, who looks every second, may be off with a pause on a busy machine, besides the steps that it
// sees.
const near = 5.0

// checkResizes compares what Takt says of each change of the size with what the training itself has written down.
func (s *stage) checkResizes(name string, history []round) {
	s.t.Helper()
	for _, r := range s.resizes(name) {
		s.t.Logf("%s: %d to %d is %s, pause %v, lost %v", r.Name, r.Spec.From, r.Spec.To, r.Status.Reached,
			r.Status.Cost.Pause, r.Status.Cost.Lost)
		if r.Status.Reached != v1alpha1.ConditionSucceeded || r.Spec.From == 0 || r.Spec.To == 0 {
			continue
		}
		for i := 1; i < len(history); i++ {
			before, after := history[i-1], history[i]
			if before.workers != int(r.Spec.From) || after.workers != int(r.Spec.To) {
				continue
			}
			paused := after.began - before.ended
			// It sees a step when that has ended, and the first after a checkpoint only by the second.
			step := (after.ended - after.began) / float64(after.last-after.first+1)
			if told, err := r.Status.Cost.Pause.Duration(); err != nil || math.Abs(told.Seconds()-paused) > near+2*step {
				s.t.Errorf("%s tells a pause of %v, and it was %.1f s", r.Name, r.Status.Cost.Pause, paused)
			}
			again := before.last - after.first + 1
			redone := float64(again) * (before.ended - before.began) / float64(before.last-before.first+1)
			if told, err := r.Status.Cost.Lost.Duration(); err != nil || math.Abs(told.Seconds()-redone) > near+2*step {
				s.t.Errorf("%s tells that work of %v was lost, and it was %.1f s", r.Name, r.Status.Cost.Lost, redone)
			}
			s.t.Logf("%s: nothing was trained for %v, and %d steps were trained again", r.Name,
				time.Duration(paused*float64(time.Second)).Round(100*time.Millisecond), again)
		}
	}
}
