package removal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/wrapping"
)

// pods lets go of those that wait for Takt. One that no scheduler has placed may be held for its gang: it is
// deleted, and its job makes another from the template, which has nothing of Takt any more.
func (r *remover) pods(ctx context.Context, kept held) error {
	var pods corev1.PodList
	if err := r.client.List(ctx, &pods, client.HasLabels{v1alpha1.EpochLabel}); err != nil {
		return fmt.Errorf("listing the pods of Takt: %w", err)
	}
	var failed []error
	for i := range pods.Items {
		pod := &pods.Items[i]
		of, _, _ := known.OwnerOf(pod)
		_, fixed := of.(kind.MarksPods)
		_, draining := pod.Annotations[v1alpha1.DrainingAnnotation]
		switch {
		case over(pod):
		case pod.Spec.NodeName == "" && (fixed || kept.has(pod)):
			// Another would be the same, and no scheduler waits for Takt for long.
		case pod.Spec.NodeName == "":
			failed = append(failed, r.remake(ctx, pod))
		case draining:
			failed = append(failed, r.annotate(ctx, pod, v1alpha1.DrainingAnnotation, nil, "tell pod %s/%s to stay",
				pod.Namespace, pod.Name))
		case wrapping.Waits(pod):
			failed = append(failed, r.annotate(ctx, pod, v1alpha1.LetInAnnotation, pod.Labels[v1alpha1.EpochLabel],
				"let pod %s/%s train", pod.Namespace, pod.Name))
		}
	}
	return errors.Join(failed...)
}

// over says that a pod has ended, or is about to.
func over(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// remake deletes a pod that no scheduler has placed, for its job to make another.
func (r *remover) remake(ctx context.Context, pod *corev1.Pod) error {
	return r.remove(ctx, pod, "delete pod %s/%s, which has no node, so that it is made anew", pod.Namespace, pod.Name)
}

func (r *remover) annotate(ctx context.Context, pod *corev1.Pod, key string, value any, format string,
	args ...any) error {
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": pod.UID, "annotations": map[string]any{key: value}},
	})
	if err != nil {
		return err
	}
	return r.do(func() error { return r.client.Patch(ctx, pod, client.RawPatch(types.MergePatchType, patch)) },
		format, args...)
}
