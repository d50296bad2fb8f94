package planning

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/view"
)

// onOtherNodes is a node that Takt does not hand out, on which a worker of a job is, where none is on one that it does;
// empty if that is not so. Such a job has nothing of what is shared out, and nobody gains by another size of it.
func (p *Planner) onOtherNodes(ctx context.Context, s *view.Subject) (node string, err error) {
	chosen := labels.SelectorFromSet(p.Settings.NodeSelector)
	if chosen.Empty() || s.Active() != nil {
		return "", nil
	}
	for _, w := range s.Pods {
		if elastic.Workers(w.Index) < s.Leaders(p.GPUs) || w.Pod.Spec.NodeName == "" || !holds(w.Pod) {
			continue
		}
		on, err := p.View.Node(ctx, w.Pod.Spec.NodeName)
		if err != nil || on == nil {
			return "", err
		}
		if chosen.Matches(labels.Set(on.Labels)) {
			return "", nil
		}
		node = on.Name
	}
	return node, nil
}

// saysOnOtherNodes says that the size of such a job stays.
func (p *Planner) saysOnOtherNodes(s *view.Subject, node string) string {
	return fmt.Sprintf("Its workers are on nodes that Takt does not hand out, such as %s, so its size stays at %d. Takt "+
		"resizes it once they are on nodes with the labels %s.", node, s.Job.Size, labels.Set(p.Settings.NodeSelector))
}
