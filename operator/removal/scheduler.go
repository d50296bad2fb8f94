package removal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
)

// schedulerName is that of the scheduler that goes with Takt. Nobody places pods that name it then.
const schedulerName = "takt-scheduler"

// schedulerField is that of pods which the API server chooses them by.
const schedulerField = "spec.schedulerName"

// toldOfScheduler says whether a job names Takt's scheduler in templates that can be changed. Where they cannot, people
// are told once what to do: only they know what the job is worth.
func (r *remover) toldOfScheduler(of kind.Kind, object client.Object, job kind.Job) bool {
	if !slices.ContainsFunc(of.Templates(object), func(t *corev1.PodTemplateSpec) bool {
		return t.Spec.SchedulerName == schedulerName
	}) {
		return false
	}
	if _, fixed := of.(kind.MarksPods); !fixed {
		return true
	}
	r.mind(heldKey(job.Kind, job.Namespace, job.Name), "%s names %s in its template, which nobody can change: once %[2]s "+
		"is deleted, none of its pods finds a node any more. Let it end before, or delete it and create it anew without "+
		"schedulerName")
	return false
}

// mind tells once of what only people can take from Takt's scheduler.
func (r *remover) mind(name, format string) {
	if !slices.Contains(r.bound, name) {
		r.bound = append(r.bound, name)
		r.say(format, name, schedulerName)
	}
}

// named lets go of pods that Takt's scheduler is to place, though Takt has not marked them. A job makes such a pod anew
// from its template, which names no scheduler any more; of others people are told.
func (r *remover) named(ctx context.Context, kept held) error {
	var pods corev1.PodList
	if err := r.client.List(ctx, &pods, client.MatchingFields{schedulerField: schedulerName}); err != nil {
		return fmt.Errorf("listing the pods that name %s: %w", schedulerName, err)
	}
	var failed []error
	for i := range pods.Items {
		pod := &pods.Items[i]
		of, _, ofJob := known.OwnerOf(pod)
		_, fixed := of.(kind.MarksPods)
		_, marked := pod.Labels[v1alpha1.EpochLabel]
		switch {
		case over(pod):
		case marked, fixed, ofJob && (pod.Spec.NodeName != "" || kept.has(pod)):
		case ofJob:
			failed = append(failed, r.remake(ctx, pod))
		default:
			name := heldKey("Pod", pod.Namespace, pod.Name)
			if owner := metav1.GetControllerOf(pod); owner != nil {
				name = heldKey(owner.Kind, pod.Namespace, owner.Name)
			}
			r.mind(name, "%s names %s: once that is deleted, no new pod of it finds a node any more. Take schedulerName off "+
				"whatever makes it before")
		}
	}
	return errors.Join(failed...)
}
