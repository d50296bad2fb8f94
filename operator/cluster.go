package operator

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/capacity"
)

// node is a node by name; nil if there is none. That it cannot be read says nothing of it.
func (o *Operator) node(name string) (*corev1.Node, error) {
	var node corev1.Node
	switch err := o.client.Get(context.Background(), types.NamespacedName{Name: name}, &node); {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking at node %s: %w", name, err)
	}
	return &node, nil
}

// nodeLost says whether a node is known to be gone, or not to answer.
func (o *Operator) nodeLost(name string) bool {
	node, err := o.node(name)
	return err == nil && lost(node)
}

// nodesReadable fails if nobody can tell how the nodes are that a job has workers on.
func (o *Operator) nodesReadable(s *subject) error {
	for _, w := range s.pods {
		if w.pod.Spec.NodeName == "" {
			continue
		}
		if _, err := o.node(w.pod.Spec.NodeName); err != nil {
			return err
		}
	}
	return nil
}

func lost(node *corev1.Node) bool {
	if node == nil {
		return true
	}
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionUnknown
		}
	}
	return false
}

// productOf is the kind of the GPUs of a node.
func (o *Operator) productOf(name string) string {
	if node, _ := o.node(name); node != nil {
		return node.Labels[o.gpus.ProductLabel]
	}
	return ""
}

// autoscaled refuses a job that a HorizontalPodAutoscaler resizes.
func (o *Operator) autoscaled(ctx context.Context, s *subject) (*refusal, error) {
	var scalers autoscalingv2.HorizontalPodAutoscalerList
	err := o.client.List(ctx, &scalers, client.InNamespace(s.ej.Namespace), client.MatchingFields{cached.ByJob: s.ej.Spec.JobRef.String()})
	if err != nil {
		return nil, fmt.Errorf("listing the autoscalers of %s: %w", s.ej.Spec.JobRef.String(), err)
	}
	if len(scalers.Items) == 0 {
		return nil, nil
	}
	return &refusal{"HasAutoscaler", fmt.Sprintf("HorizontalPodAutoscaler %s resizes %s, and only one can: delete it, or this ElasticJob.",
		scalers.Items[0].Name, s.ej.Spec.JobRef.String())}, nil
}

// budget is what the quotas of a namespace leave.
func (o *Operator) budget(ctx context.Context, namespace string) (*capacity.Budget, error) {
	var quotas corev1.ResourceQuotaList
	if err := o.client.List(ctx, &quotas, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("listing the quotas of namespace %s: %w", namespace, err)
	}
	all := make([]*corev1.ResourceQuota, len(quotas.Items))
	for i := range quotas.Items {
		all[i] = &quotas.Items[i]
	}
	return capacity.NewBudget(all), nil
}
