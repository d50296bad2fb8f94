package real

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// The same script trains as a Job of Kubernetes itself: it grows while it trains, gives back what it has grown by, and
// ends right.
func TestRealTrainingIsResizedAsAnIndexedJob(t *testing.T) {
	s := newStage(t)
	j := job{
		name: "indexed", deadline: 15 * time.Minute, least: 1, most: 4, workers: 2, steps: 300, sample: 20 * time.Millisecond,
		suspended: true, indexed: true, environment: joinable,
	}
	watch := s.watch(j.name, "PyTorch, train.py as an Indexed Job, which grows and shrinks")
	folder := s.growsAndShrinks(j, func(string) {})
	s.verdict(j.name, v1alpha1.VerdictMet, j.deadline)
	watch.tell()
	all := records(t, folder)
	checkTraining(t, all, j.steps)
	if got := sizes(rounds(all)); !slices.Equal(got, []int{2, 4, 2}) {
		t.Errorf("it was trained by %v workers, want 2, 4 and 2, each started once", got)
	}
	for _, r := range s.resizes(j.name) {
		if r.Spec.Mode != v1alpha1.ResizeLive {
			t.Errorf("%s is %s, though it could be live", r.Name, r.Spec.Mode)
		}
	}
	s.checkResizes(j.name, rounds(all))
	costOf(rounds(all), nil).publish("Takt, an Indexed Job")
}
