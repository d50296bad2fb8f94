package operator

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/capacity"
)

// What people write on a training job to have an ElasticJob made for it. Either of the first two is
// enough.
const (
	queueLabel          = "takt.dev/queue"
	deadlineAnnotation  = "takt.dev/deadline"  // 6h, or an RFC 3339 time
	workersAnnotation   = "takt.dev/workers"   // 1-8, or 4
	guaranteeAnnotation = "takt.dev/guarantee" // Promise or BestEffort
	profileAnnotation   = "takt.dev/profile"
)

// shorthandLabel marks an ElasticJob that was made from what is written on its job, and goes with it.
const shorthandLabel = "takt.dev/shorthand"

// shorthand keeps the ElasticJob of one training job as its label and annotations say.
type shorthand struct {
	*Operator
	kind adapter.Kind
}

// Reconcile makes, changes or removes the ElasticJob of a job.
func (o *shorthand) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := o.kind.New()
	if err := o.client.Get(ctx, request.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	job := o.kind.Read(object)
	var ej v1alpha1.ElasticJob
	err := o.client.Get(ctx, request.NamespacedName, &ej)
	exists := err == nil
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	_, queued := job.Labels[queueLabel]
	_, dated := job.Annotations[deadlineAnnotation]
	switch {
	case job.State == resize.JobDeleted:
		return reconcile.Result{}, nil
	case !queued && !dated:
		if exists && ej.Labels[shorthandLabel] != "" && refersTo(&ej, job) && ej.DeletionTimestamp == nil {
			return reconcile.Result{}, o.remove(ctx, &ej)
		}
		return reconcile.Result{}, o.letGo(ctx, object, job)
	case exists && !refersTo(&ej, job):
		o.events.warn(object, "ElasticJobTaken", "ElasticJob %s is for %s, so none can be made for this job: delete that one, or rename one of the jobs.",
			ej.Name, reference(&ej))
		return reconcile.Result{}, nil
	case exists && ej.Labels[shorthandLabel] == "":
		return reconcile.Result{}, nil // an explicit ElasticJob says more
	case exists && ej.DeletionTimestamp != nil:
		return reconcile.Result{}, nil // its end wakes this one
	case exists && ofEarlierJob(&ej, job.UID):
		return reconcile.Result{}, o.remove(ctx, &ej)
	case !exists && job.State != resize.JobGoesOn:
		return reconcile.Result{}, nil
	}
	spec, err := specOf(o.kind, job)
	if err == nil {
		err = o.keep(ctx, job, &ej, exists, spec)
	}
	if _, misspelt := errors.AsType[*shorthandError](err); misspelt || apierrors.IsInvalid(err) {
		o.events.warn(object, "InvalidShorthand", "What is written on the job cannot be used: %s", plainly(err))
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, err
}

// keep makes the ElasticJob, or brings it in line.
func (o *shorthand) keep(ctx context.Context, job adapter.Job, ej *v1alpha1.ElasticJob, exists bool, spec v1alpha1.ElasticJobSpec) error {
	if !exists {
		return o.client.Create(ctx, &v1alpha1.ElasticJob{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: job.Namespace, Name: job.Name, Labels: map[string]string{shorthandLabel: "true"},
				OwnerReferences: []metav1.OwnerReference{ownedByJob(o.kind, job)},
			},
			Spec: spec,
		})
	}
	after := ej.DeepCopy()
	spec.Progress = after.Spec.Progress
	if after.Spec = spec; equality.Semantic.DeepEqual(ej.Spec, after.Spec) {
		return nil
	}
	return o.client.Patch(ctx, after, onto(ej))
}

// letGo finishes what a deleted ElasticJob has left half done: a job that was stopped only to be
// started at another size must not stay stopped. All else stays as it is.
func (o *shorthand) letGo(ctx context.Context, object client.Object, job adapter.Job) error {
	asked := job.Asked
	if !asked.Suspended || !job.Suspended || job.ReturnsTo == 0 {
		return nil
	}
	var all v1alpha1.ElasticJobList
	if err := o.client.List(ctx, &all, client.InNamespace(job.Namespace), client.MatchingFields{jobField: job.Kind + "/" + job.Name}); err != nil {
		return err
	}
	if len(all.Items) > 0 {
		return nil
	}
	patch, err := o.kind.Patch(object, resize.Ask{
		Epoch: asked.Epoch, Stage: asked.Stage, Workers: job.ReturnsTo, At: o.now(),
	}, adapter.Target{Least: job.Least, Most: job.Most})
	if err != nil {
		return err
	}
	return client.IgnoreNotFound(o.patchJob(ctx, o.kind, job, client.RawPatch(types.MergePatchType, patch)))
}

func refersTo(ej *v1alpha1.ElasticJob, job adapter.Job) bool {
	return ej.Spec.JobRef.Kind == job.Kind && ej.Spec.JobRef.Name == job.Name
}

// shorthandError is what is wrong with the label or an annotation.
type shorthandError struct{ key, value, want string }

func (e *shorthandError) Error() string {
	return fmt.Sprintf("%s is %q, but must be %s", e.key, e.value, e.want)
}

// specOf is what the label and annotations of a job say.
func specOf(kind adapter.Kind, job adapter.Job) (v1alpha1.ElasticJobSpec, error) {
	spec := v1alpha1.ElasticJobSpec{
		JobRef:    v1alpha1.JobReference{APIVersion: kind.GroupVersionKind().GroupVersion().String(), Kind: job.Kind, Name: job.Name},
		Queue:     job.Labels[queueLabel],
		Guarantee: v1alpha1.Guarantee(job.Annotations[guaranteeAnnotation]),
		Profile:   job.Annotations[profileAnnotation],
	}
	if spec.Queue == "" {
		spec.Queue = capacity.Default().Name
	}
	if spec.Guarantee == "" {
		spec.Guarantee = v1alpha1.GuaranteePromise
	}
	if deadline, ok := job.Annotations[deadlineAnnotation]; ok {
		if _, err := v1alpha1.Time(deadline).Time(); err == nil {
			spec.Deadline = v1alpha1.Time(deadline)
		} else if after, err := v1alpha1.Duration(deadline).Duration(); err == nil && after > 0 {
			spec.DeadlineAfter = v1alpha1.Duration(deadline)
		} else {
			return spec, &shorthandError{deadlineAnnotation, deadline, "a time span such as 6h, or a moment such as 2026-11-21T18:00:00Z"}
		}
	}
	if workers, ok := job.Annotations[workersAnnotation]; ok {
		low, high, ranged := strings.Cut(workers, "-")
		if !ranged {
			high = low
		}
		least, errLow := strconv.ParseInt(strings.TrimSpace(low), 10, 32)
		most, errHigh := strconv.ParseInt(strings.TrimSpace(high), 10, 32)
		if errLow != nil || errHigh != nil || least < 0 || most < max(least, 1) {
			return spec, &shorthandError{workersAnnotation, workers, "a number of workers such as 4, or a range such as 1-8"}
		}
		from, to := int32(least), int32(most)
		spec.Workers = v1alpha1.WorkerRange{Min: &from, Max: &to}
	}
	return spec, nil
}

// plainly is an error of the API server without what only machines need.
func plainly(err error) string {
	text := err.Error()
	if _, after, found := strings.Cut(text, " is invalid: "); found {
		return after
	}
	return text
}
