package plugin

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/version"
)

// missed tells that a gang waits for a Resize that is not there, or to be marked, in an event on one of its pods: there
// is no Resize to tell it, and a pod that is held back has no event of kube-scheduler.
func (h *sharedState) missed(uid gang.UID) {
	h.mu.Lock()
	pod, unmarked := h.pods[uid], h.book.Unmarked(uid)
	h.mu.Unlock()
	if pod == nil {
		return
	}
	orphan := h.settings.Gangs.Orphan.String()
	if unmarked {
		h.handle.EventRecorder().Eventf(pod, nil, corev1.EventTypeWarning, "NotMarked", "Scheduling",
			"This pod and those that come with it wait for Takt's operator to say which Resize they have come for. "+
				"If it does not, they are placed after %s. See that takt-operator runs, and that it may patch pods.", orphan)
		return
	}
	why, _ := h.unread.Load().(string)
	h.handle.EventRecorder().Eventf(pod, nil, corev1.EventTypeWarning, "NoResize", "Scheduling", "%s",
		missing(read(pod).Change, orphan, why))
}

// missing says which Resize is not there, what becomes of its pods, and why it may be so.
func missing(c gang.Change, orphan, why string) string {
	text := fmt.Sprintf("This pod and those that come with it wait for Resize %s, which is not there. Without it they "+
		"are placed after %s.", c.Name(), orphan)
	if why != "" {
		text += " " + why
	}
	return text
}

// unreadable says why Resizes cannot be read, and what to do about it; nothing of what passes by itself.
func unreadable(err error) string {
	switch {
	case apierrors.IsForbidden(err):
		return "takt-scheduler may not read Resizes: give it the rights of the ClusterRole takt-scheduler."
	case apierrors.IsNotFound(err):
		return "The cluster has no Resizes: install the kinds of Takt with " + version.OfRelease().Apply("crd") + "."
	default:
		return ""
	}
}
