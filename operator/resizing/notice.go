package resizing

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/operator/writing"
)

// saveBeforeItGoes asks the workers of a job to save what they have done where there is notice that the node of one of
// them goes, once for each notice. Whether the job can train on elsewhere or not: that much is not lost.
func (a *Attendant) saveBeforeItGoes(ctx context.Context, s *view.Subject) error {
	noticed := time.Time{}
	for _, w := range s.Pods {
		at, leaves, err := a.noticed(ctx, w.Pod.Spec.NodeName)
		if err != nil {
			return err
		}
		if leaves && at.After(noticed) {
			noticed = at
		}
	}
	if noticed.IsZero() {
		return nil
	}
	request := contract.RequestAt(noticed)
	for _, w := range s.Pods {
		trains := w.Pod.Status.Phase == corev1.PodRunning && w.Pod.DeletionTimestamp == nil && wrapping.Within(w.Pod)
		if !trains || wrapping.Waits(w.Pod) || requestOf(w.Pod, a.Now()) >= request {
			continue
		}
		err := writing.Annotate(ctx, a.Client, w.Pod, map[string]any{contract.SaveAnnotation: request.String()})
		if client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("asking pod %s to save before its node goes: %w", w.Pod.Name, err)
		}
	}
	return nil
}

// noticed is since when there is notice that a node goes, if there is. Where that is not said, it is since this process
// saw it.
func (a *Attendant) noticed(ctx context.Context, name string) (time.Time, bool, error) {
	if name == "" {
		return time.Time{}, false, nil
	}
	node, err := a.View.Node(ctx, name)
	if err != nil || node == nil {
		return time.Time{}, false, err
	}
	since, leaves := a.View.GPUs.Leaving(node)
	if now := a.Now(); since.IsZero() || since.After(now) {
		since = a.notices.since(node.UID, leaves, now)
	}
	return since, leaves, nil
}

// notices is since when there is notice of nodes that do not say so themselves.
type notices struct {
	mu sync.Mutex
	of map[types.UID]time.Time
}

// forgetAfter is after how long nobody asks any more for a node that was to go.
const forgetAfter = 24 * time.Hour

func (n *notices) since(node types.UID, leaves bool, now time.Time) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !leaves {
		delete(n.of, node)
		return time.Time{}
	}
	if at, known := n.of[node]; known {
		return at
	}
	for other, at := range n.of {
		if now.Sub(at) > forgetAfter {
			delete(n.of, other)
		}
	}
	if n.of == nil {
		n.of = map[types.UID]time.Time{}
	}
	n.of[node] = now
	return now
}
