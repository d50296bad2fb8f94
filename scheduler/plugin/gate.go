package plugin

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/settings"
)

var (
	_ fwk.PreEnqueuePlugin  = &Gate{}
	_ fwk.EnqueueExtensions = &Gate{}
)

// Gate holds back the pods of gangs. It is a plugin of its own since kube-scheduler asks whoever holds a pod
// back about each event that this plugin has named, and a plugin names its events for all its pods: with
// thousands of them held back, it would do little else. Nothing concerns those but what Takt wakes them for.
type Gate struct {
	state   func() *sharedState // that of the plugin Takt, which may be built later; nil if no profile has that
	profile string
}

// Name is that of the plugin.
func (*Gate) Name() string { return settings.Gate }

// PreEnqueue lets one pod of a gang into the queue once the gang is complete, and the others once all of
// them have been planned for. Until it is known what pods there are, nobody is let in: a gang that the last
// scheduler has begun to bind must be first.
func (g *Gate) PreEnqueue(_ context.Context, pod *corev1.Pod) *fwk.Status {
	h := g.state()
	if !h.ready.Load() {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable,
			"the scheduler has just started, and has yet to read what pods there are")
	}
	if !h.member(pod) {
		return nil
	}
	admitted, why := true, ""
	h.with(func(b *gang.Book, now time.Time) {
		if !b.Knows(uidOf(pod)) { // else what the queue has may be older
			h.note(pod, now)
		}
	})
	if kept := pod.Status.NominatedNodeName; kept != "" {
		h.disown(pod, kept)
	}
	h.with(func(b *gang.Book, now time.Time) { admitted, why = b.Admit(uidOf(pod), now) })
	if !admitted {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, why)
	}
	return nil
}

// disown forgets a node that a scheduler before this one has kept for a pod.
func (h *sharedState) disown(pod *corev1.Pod, node string) {
	h.mu.Lock()
	ours := h.book.Kept(uidOf(pod)) == node
	h.mu.Unlock()
	if !ours {
		h.handle.DeleteNominatedPodIfExists(pod)
	}
}

// EventsToRegister are none. It is asked for when all plugins of all profiles are built.
func (g *Gate) EventsToRegister(context.Context) ([]fwk.ClusterEventWithHint, error) {
	if h := g.state(); h == nil || !h.profiles.Has(g.profile) {
		return nil, lacks(g.profile, settings.Gate, settings.Plugin)
	}
	return nil, nil
}

// lacks refuses a configuration that has only one of the two plugins.
func lacks(profile, has, lacking string) error {
	return fmt.Errorf("profile %s enables plugin %s but not %s: enable both at multiPoint", profile, has, lacking)
}
