package removal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/wrapping"
)

// ours are the annotations that Takt has written on jobs. What people have written stays.
var ours = []string{kind.AskAnnotation, kind.ReturnsAnnotation, kind.HeldAnnotation, kind.PinnedAnnotation,
	kind.LastCallAnnotation, wrapping.FaultAnnotation, shorthand.MomentAnnotation, shorthand.TakenAnnotation}

// held are the jobs that could not be let go of; nil where nobody knows which.
type held map[string]bool

// has says that the job of a pod may be among them: it would make the pod anew just as it was, however often that is
// deleted.
func (h held) has(pod *corev1.Pod) bool {
	owner := metav1.GetControllerOf(pod)
	return h == nil || owner != nil && h[heldKey(owner.Kind, pod.Namespace, owner.Name)]
}

func heldKey(kind, namespace, name string) string { return kind + " " + namespace + "/" + name }

// jobs lets go of all jobs: none is suspended by Takt, or for it, and nothing of Takt is on them.
func (r *remover) jobs(ctx context.Context) (held, error) {
	records, err := r.elasticJobs(ctx)
	if err != nil {
		return nil, err
	}
	kept := held{}
	var failed []error
	for _, of := range known.Kinds() {
		list := of.NewList()
		if err := r.client.List(ctx, list); err != nil {
			if notThere(err) {
				continue
			}
			return nil, fmt.Errorf("listing the %ss: %w", of.GroupVersionKind().Kind, err)
		}
		items, err := meta.ExtractList(list)
		if err != nil {
			return nil, fmt.Errorf("listing the %ss: %w", of.GroupVersionKind().Kind, err)
		}
		for _, item := range items {
			object := item.(client.Object)
			if err := r.letGo(ctx, of, object, records); err != nil {
				failed = append(failed, err)
				kept[heldKey(of.GroupVersionKind().Kind, object.GetNamespace(), object.GetName())] = true
			}
		}
	}
	return kept, errors.Join(failed...)
}

func (r *remover) letGo(ctx context.Context, of kind.Kind, object client.Object, records []v1alpha1.ElasticJob) error {
	job := of.Read(object)
	if job.State != resize.JobGoesOn {
		return nil
	}
	byUser := suspendedByUser(job, records)
	resume := !byUser && (job.StoppedByTakt() || awaits(job, records))
	without := ours
	if job.Suspended && !resume && asks(job) { // else it would be taken for one that Takt had not come to yet
		without = slices.DeleteFunc(slices.Clone(ours), func(a string) bool { return a == shorthand.TakenAnnotation })
	}
	if shorthand.NotedHold(job.Annotations) {
		without = append(slices.Clone(without), shorthand.HoldAnnotation)
	}
	named := r.toldOfScheduler(of, object, job)
	patch, err := of.Release(object, kind.Release{At: r.Now(), Without: without, Resume: resume, SuspendedByUser: byUser,
		Scheduler: schedulerName})
	if err != nil || patch == nil {
		return err
	}
	what := "take what Takt has written off %s %s/%s"
	if resume && !r.DryRun {
		if err := r.haveLeft(ctx, job); err != nil {
			return err
		}
	}
	if resume {
		what = "resume %s %s/%s, and take what Takt has written off it"
	}
	if named {
		what += ", and schedulerName: " + schedulerName
	}
	return r.do(func() error {
		return r.client.Patch(ctx, object, client.RawPatch(types.MergePatchType, patch))
	}, what, job.Kind, job.Namespace, job.Name)
}

// haveLeft fails while pods of a job that was stopped are about to be gone: were it to run again before, its controller
// would take them for workers that have failed.
func (r *remover) haveLeft(ctx context.Context, job kind.Job) error {
	var pods corev1.PodList
	if err := r.client.List(ctx, &pods, client.InNamespace(job.Namespace)); err != nil {
		return fmt.Errorf("listing the pods of %s %s/%s: %w", job.Kind, job.Namespace, job.Name, err)
	}
	within := resize.DefaultLimits().StopWithin
	for i := range pods.Items {
		owner, gone := metav1.GetControllerOf(&pods.Items[i]), pods.Items[i].DeletionTimestamp
		if owner != nil && owner.UID == job.UID && gone != nil && r.Now().Before(gone.Add(within)) {
			return fmt.Errorf("%s %s/%s runs again once its pod %s is gone", job.Kind, job.Namespace, job.Name,
				pods.Items[i].Name)
		}
	}
	return nil
}

// awaits says that a job was suspended by whoever made it, for Takt to start it. Takt may not have come to it yet.
func awaits(job kind.Job, records []v1alpha1.ElasticJob) bool {
	if !job.Suspended || job.Asked.Epoch > 0 || slices.ContainsFunc(job.Objections,
		func(o kind.Objection) bool { return o.Reason == kind.ManagedElsewhere }) {
		return false
	}
	recorded := slices.ContainsFunc(records, func(ej v1alpha1.ElasticJob) bool { return isOf(ej, job) })
	return recorded || asks(job) && !shorthand.EverTaken(job.UID, job.Annotations)
}

// asks says that what is written on a job asks Takt to look after it.
func asks(job kind.Job) bool {
	return shorthand.Read(job.Labels, job.Annotations, time.UTC).Of(job.Name).OnPods(job.Worker, job.Leader).Asks
}

// suspendedByUser says that its ElasticJob told so before Takt was removed, or that nobody had suspended the job by
// then. What Takt itself has stopped since is not the user's.
func suspendedByUser(job kind.Job, records []v1alpha1.ElasticJob) bool {
	return job.Suspended && !job.Asked.Suspended && slices.ContainsFunc(records, func(ej v1alpha1.ElasticJob) bool {
		return isOf(ej, job) && (ej.Status.SuspendedByUser() || ej.Status.NotSuspended())
	})
}

func isOf(ej v1alpha1.ElasticJob, job kind.Job) bool {
	return ej.Namespace == job.Namespace && ej.Spec.JobRef.Kind == job.Kind && ej.Spec.JobRef.Name == job.Name
}

// records removes the Resizes, and the ElasticJobs of jobs that were let go of.
func (r *remover) records(ctx context.Context, kept held) error {
	if kept == nil {
		return nil // nobody knows which
	}
	var failed []error
	var resizes v1alpha1.ResizeList
	if err := r.client.List(ctx, &resizes); err != nil && !notThere(err) {
		return fmt.Errorf("listing the Resizes: %w", err)
	}
	for i := range resizes.Items {
		z := &resizes.Items[i]
		failed = append(failed, r.remove(ctx, z, "remove Resize %s/%s", z.Namespace, z.Name))
	}
	all, err := r.elasticJobs(ctx)
	failed = append(failed, err)
	for i := range all {
		if ej := &all[i]; !kept[heldKey(ej.Spec.JobRef.Kind, ej.Namespace, ej.Spec.JobRef.Name)] {
			failed = append(failed, r.remove(ctx, ej, "remove ElasticJob %s/%s", ej.Namespace, ej.Name))
		}
	}
	return errors.Join(failed...)
}

func (r *remover) elasticJobs(ctx context.Context) ([]v1alpha1.ElasticJob, error) {
	var all v1alpha1.ElasticJobList
	if err := r.client.List(ctx, &all); err != nil && !notThere(err) {
		return nil, fmt.Errorf("listing the ElasticJobs: %w", err)
	}
	return all.Items, nil
}
