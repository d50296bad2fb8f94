package scheduler

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// One after the other, for each needs all GPUs, which become free all at once: by priority of the queue, then
// by who has least time left, then by age. A plain pod of a higher priority goes before them all.
func TestSchedulerOrdersByPrioritySlackAndAge(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 4)
	s := scheduled(t, w)
	s.Kill() // so that all wait when it comes back
	urgency := func(priority int32, startBy, waiting time.Duration) []func(*v1alpha1.Resize) {
		return []func(*v1alpha1.Resize){func(r *v1alpha1.Resize) {
			r.Spec.Priority = &priority
			if startBy > 0 {
				r.Spec.StartBy = v1alpha1.NewTime(time.Now().Add(startBy))
			}
			r.Spec.WaitingSince = v1alpha1.NewTime(time.Now().Add(-waiting))
		}}
	}
	all := []change{
		{job: "young", to: 1, gpus: 4, resize: urgency(0, 0, 0)},
		{job: "late", to: 1, gpus: 4, resize: urgency(0, time.Minute, 0)},
		{job: "relaxed", to: 1, gpus: 4, resize: urgency(0, 5*time.Minute, 0)},
		{job: "preferred", to: 1, gpus: 4, resize: urgency(1, 0, 0)},
		{job: "old", to: 1, gpus: 4, resize: urgency(0, 0, 7*time.Minute)},
	}
	for i := range all {
		all[i] = gang(t, w, all[i])
	}
	plain(w, "important", 4, important)
	s.Start()
	w.Eventually("the pod of high priority is first", world.Soon, func() error { return onNode(w, "important") })
	free := func() { remove(t, w, "important") }
	var got []string
	for range all {
		// Whatever happens elsewhere in the cluster has those tried who wait, one after the other. GPUs that
		// become free meanwhile go to whoever is next, and not to who is first.
		s.Kill()
		free()
		s.Start()
		w.Eventually("the next is placed", world.Soon, func() error {
			for _, c := range all {
				if !slices.Contains(got, c.job) && bound(w, c) == 1 {
					got, free = append(got, c.job), func() { end(t, w, c) }
					return nil
				}
			}
			return errNotThere
		})
	}
	want := []string{"preferred", "late", "old", "relaxed", "young"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the order, -want +got:\n%s", diff)
	}
}
