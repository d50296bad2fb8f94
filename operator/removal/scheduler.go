package removal

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/kind"
)

// schedulerName is that of the scheduler that goes with Takt. Nobody places pods that name it then.
const schedulerName = "takt-scheduler"

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
	name := heldKey(job.Kind, job.Namespace, job.Name)
	if slices.Contains(r.bound, name) {
		return false
	}
	r.bound = append(r.bound, name)
	r.say("%s names %s in its template, which nobody can change: once %s is deleted, none of its pods finds a node any "+
		"more. Let it end before, or delete it and create it anew without schedulerName", name, schedulerName, schedulerName)
	return false
}
