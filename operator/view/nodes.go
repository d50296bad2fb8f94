package view

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
)

// Node is a node by name; nil if there is none. That it cannot be read says nothing of it.
func (v *Viewer) Node(ctx context.Context, name string) (*corev1.Node, error) {
	var node corev1.Node
	switch err := v.Client.Get(ctx, types.NamespacedName{Name: name}, &node); {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking at node %s: %w", name, err)
	}
	return &node, nil
}

// silentFor is for how long nothing is heard of a node until a worker there counts as lost. A busy kubelet, or API
// server, misses a heartbeat now and then.
const silentFor = 30 * time.Second

// WorkerLost says whether the node of a worker is known to be gone, or not to have answered for a while; and else, if
// it does not answer, when that while is over. A node that is not known yet, to which a pod was bound a moment ago, is
// not gone.
func (v *Viewer) WorkerLost(ctx context.Context, pod *corev1.Pod, now time.Time) (lost bool, at time.Time) {
	if pod.Spec.NodeName == "" {
		return false, time.Time{}
	}
	node, err := v.Node(ctx, pod.Spec.NodeName)
	if err != nil || !Lost(node) {
		return false, time.Time{}
	}
	at = silentSince(node, pod).Add(silentFor)
	if at.After(now) && !at.After(now.Add(2*silentFor)) { // whoever dates it later has another clock
		return false, at
	}
	return true, time.Time{}
}

// silentSince is since when the node of a pod is lost, or seems to be.
func silentSince(node *corev1.Node, pod *corev1.Pod) time.Time {
	if node != nil {
		for _, c := range node.Status.Conditions {
			if c.Type == corev1.NodeReady {
				return c.LastTransitionTime.Time
			}
		}
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled {
			return c.LastTransitionTime.Time
		}
	}
	return pod.CreationTimestamp.Time
}

// NodeAnswers says whether a node is known to be there, and to answer.
func (v *Viewer) NodeAnswers(ctx context.Context, name string) bool {
	node, err := v.Node(ctx, name)
	return err == nil && !Lost(node)
}

// NodesReadable fails if nobody can tell how the nodes are that a job has workers on.
func (v *Viewer) NodesReadable(ctx context.Context, s *Subject) error {
	for _, w := range s.Pods {
		if w.Pod.Spec.NodeName == "" {
			continue
		}
		if _, err := v.Node(ctx, w.Pod.Spec.NodeName); err != nil {
			return err
		}
	}
	return nil
}

// Lost says whether a node is gone, or does not answer.
func Lost(node *corev1.Node) bool {
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

// ProductOf is the kind of the GPUs of a node; empty for one that is gone.
func (v *Viewer) ProductOf(ctx context.Context, name string) (string, error) {
	node, err := v.Node(ctx, name)
	if node == nil || err != nil {
		return "", err
	}
	return node.Labels[v.GPUs.ProductLabel], nil
}
