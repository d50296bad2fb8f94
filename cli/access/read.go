package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/shorthand"
)

// Jobs are the ElasticJobs of a namespace; of all if it is empty.
func (c *Cluster) Jobs(ctx context.Context, namespace string) ([]v1alpha1.ElasticJob, error) {
	var list v1alpha1.ElasticJobList
	if err := c.Client.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return nil, c.Explain(err)
	}
	return list.Items, nil
}

// Job is the ElasticJob of a name. The name may have its kind before it, as in elasticjob/resnet, or its namespace, as
// in team-a/resnet.
func (c *Cluster) Job(ctx context.Context, name string) (*v1alpha1.ElasticJob, error) {
	key, err := c.meant(name)
	if err == nil {
		err = c.ambiguous(ctx, name, key)
	}
	if err != nil {
		return nil, err
	}
	var job v1alpha1.ElasticJob
	err = c.Client.Get(ctx, key, &job)
	switch {
	case apierrors.IsNotFound(err):
		return nil, c.noSuchJob(ctx, key)
	case err != nil:
		return nil, c.Explain(err)
	}
	return &job, nil
}

// meant is the job that a name means. What stands before it is its namespace, as takt itself writes jobs, unless it is
// a kind.
func (c *Cluster) meant(name string) (client.ObjectKey, error) {
	before, behind, found := strings.Cut(name, "/")
	switch {
	case !found:
		return client.ObjectKey{Namespace: c.Namespace, Name: name}, nil
	case before == "" || behind == "" || strings.Contains(behind, "/"):
		return client.ObjectKey{}, usage.Misuse("%q is no job: it must be a name, as resnet, or NAMESPACE/NAME, as "+
			"team-a/resnet", name)
	case isKind(before):
		return client.ObjectKey{Namespace: c.Namespace, Name: behind}, nil
	case c.Chosen && before != c.Namespace:
		return client.ObjectKey{}, usage.Misuse("%q is in namespace %s, and -n names %s: leave one of the two out", name,
			before, c.Namespace)
	}
	return client.ObjectKey{Namespace: before, Name: behind}, nil
}

// ambiguous fails where a word before a name is read as a kind, and a namespace that is called so has a job of that
// name, which may be the one that is meant.
func (c *Cluster) ambiguous(ctx context.Context, name string, read client.ObjectKey) error {
	namespace, behind, found := strings.Cut(name, "/")
	if !found || c.Chosen || namespace == read.Namespace {
		return nil
	}
	var other v1alpha1.ElasticJob
	err := c.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: behind}, &other)
	switch {
	case apierrors.IsNotFound(err), apierrors.IsForbidden(err): // who may not look there does not mean it
		return nil
	case err != nil:
		return c.Explain(err)
	}
	return usage.Misuse("%q may be %s of namespace %s, or of namespace %s: name the one that you mean with -n", name,
		behind, namespace, read.Namespace)
}

// isKind says that a word names ElasticJobs or the jobs that they are of, in any of the ways that kubectl knows.
func isKind(word string) bool {
	word = strings.ToLower(word)
	if slices.Contains([]string{"elasticjob", "elasticjobs", "ej", "elasticjobs." + v1alpha1.GroupVersion.Group}, word) {
		return true
	}
	return slices.ContainsFunc(written.Kinds, func(k written.Kind) bool {
		return word == strings.ToLower(k.Kind) || word == k.Resource || word == k.Resource+"."+k.Group
	})
}

// noSuchJob says why there is no ElasticJob, and which others there are.
func (c *Cluster) noSuchJob(ctx context.Context, key client.ObjectKey) error {
	for _, kind := range written.Kinds {
		job := &unstructured.Unstructured{}
		job.SetGroupVersionKind(kind.GroupVersionKind)
		if err := c.Client.Get(ctx, key, job); err == nil {
			return notLookedAfter(job, kind.Takes(job))
		}
	}
	jobs, err := c.Jobs(ctx, key.Namespace)
	if err != nil || len(jobs) == 0 {
		return fmt.Errorf("there is no ElasticJob %s in namespace %s: name the namespace with -n, or see takt list -A",
			key.Name, key.Namespace)
	}
	var names []string
	for _, j := range jobs {
		names = append(names, j.Name)
	}
	return fmt.Errorf("there is no ElasticJob %s in namespace %s, which has %s: takt list -A shows all", key.Name,
		key.Namespace, few(names))
}

// notLookedAfter says why a job has no ElasticJob, by what is written on it, and by whether Takt takes jobs like it.
func notLookedAfter(job *unstructured.Unstructured, takes bool) error {
	of := job.GetKind() + "/" + job.GetName()
	annotate := fmt.Sprintf("kubectl -n %s annotate %s %s", job.GetNamespace(), strings.ToLower(job.GetKind()),
		job.GetName())
	why := fmt.Sprintf("Takt does not look after %s: give it a deadline (%s %s=6h) or a queue (label %s)", of, annotate,
		shorthand.DeadlineAnnotation, shorthand.QueueLabel)
	said := shorthand.Read(job.GetLabels(), job.GetAnnotations(), nil)
	switch {
	case !takes:
		why = fmt.Sprintf("Takt does not look after %s, as it looks after Jobs whose pods know which of them they are: "+
			"create it anew with completionMode: Indexed", of)
	case said.Asks && shorthand.WasTaken(job.GetUID(), said, job.GetAnnotations()):
		why = fmt.Sprintf("Takt does not look after %s any more, as its ElasticJob was deleted: have it do so again with "+
			"%s %s-, unless the job has ended", of, annotate, shorthand.TakenAnnotation)
	case said.Asks || len(said.Faults) > 0:
		why = fmt.Sprintf("Takt has not come to %s yet, though that is written for it: takt doctor says whether "+
			"takt-operator runs; it has to look after namespace %s, too (namespaces in its settings)", of, job.GetNamespace())
	}
	return errors.New(why)
}

// Resizes are those of a job, the first of them first.
func (c *Cluster) Resizes(ctx context.Context, job *v1alpha1.ElasticJob) ([]v1alpha1.Resize, error) {
	var list v1alpha1.ResizeList
	if err := c.Client.List(ctx, &list, client.InNamespace(job.Namespace)); err != nil {
		return nil, c.Explain(err)
	}
	own := slices.DeleteFunc(list.Items, func(r v1alpha1.Resize) bool {
		return r.Spec.ElasticJob != job.Name || r.CreationTimestamp.Before(&job.CreationTimestamp)
	})
	slices.SortFunc(own, func(a, b v1alpha1.Resize) int { return cmp.Compare(a.Spec.Epoch, b.Spec.Epoch) })
	return own, nil
}

// Queues are all TrainingQueues.
func (c *Cluster) Queues(ctx context.Context) ([]v1alpha1.TrainingQueue, error) {
	var list v1alpha1.TrainingQueueList
	if err := c.Client.List(ctx, &list); err != nil {
		return nil, c.Explain(err)
	}
	return list.Items, nil
}

// Training is the training job of an ElasticJob.
func (c *Cluster) Training(ctx context.Context, job *v1alpha1.ElasticJob) (*unstructured.Unstructured, error) {
	ref := job.Spec.JobRef
	object := &unstructured.Unstructured{}
	object.SetAPIVersion(ref.APIVersion)
	object.SetKind(ref.Kind)
	err := c.Client.Get(ctx, client.ObjectKey{Namespace: job.Namespace, Name: ref.Name}, object)
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("there is no %s in namespace %s: create it, or delete ElasticJob %s", ref.String(),
			job.Namespace, job.Name)
	}
	return object, c.Explain(err)
}

// Suspend sets whether a training job is suspended, unless it has changed since it was read.
func (c *Cluster) Suspend(ctx context.Context, job *unstructured.Unstructured, suspend bool) error {
	before := job.DeepCopy()
	kind, known := written.KindOf(job.GroupVersionKind())
	if !known {
		return fmt.Errorf("%s/%s is of a kind that this takt does not know: take a newer one", job.GetKind(), job.GetName())
	}
	if err := unstructured.SetNestedField(job.Object, suspend, kind.Suspend...); err != nil {
		return fmt.Errorf("%s of %s/%s cannot be written: %w. See kubectl explain, and edit the job", kind.Path(),
			job.GetKind(), job.GetName(), err)
	}
	return c.Explain(c.Client.Patch(ctx, job, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}),
		client.FieldOwner("takt")))
}
