package plugin

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/settings"
)

// gates has the plugins of a profile that may hold pods back. The handle that plugins are given has them, though its
// interface does not tell.
type gates interface {
	PreEnqueuePlugins() []fwk.PreEnqueuePlugin
}

// heldBack says which plugin does not let a pod into the queue, and why; empty if all do. The gate of Takt is not
// asked: it lets in all that are planned for.
func (t *Takt) heldBack(ctx context.Context, pod *corev1.Pod) string {
	all, tells := t.handle.(gates)
	if !tells {
		return ""
	}
	for _, plugin := range all.PreEnqueuePlugins() {
		if plugin.Name() == settings.Gate {
			continue
		}
		if status := plugin.PreEnqueue(ctx, pod); !status.IsSuccess() {
			return fmt.Sprintf("Pod %s is held back by plugin %s: %s", pod.Name, plugin.Name(), status.Message())
		}
	}
	return ""
}

// lacksClaims says that the ResourceClaims are yet to be made by which a pod gets devices of its own.
func lacksClaims(pod *corev1.Pod) bool {
	made := map[string]bool{}
	for _, claim := range pod.Status.ResourceClaimStatuses {
		made[claim.Name] = true
	}
	for _, claim := range pod.Spec.ResourceClaims {
		if claim.ResourceClaimTemplateName != nil && !made[claim.Name] {
			return true
		}
	}
	return false
}
