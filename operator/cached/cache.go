package cached

import (
	"context"
	"fmt"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/settings"
)

// What objects are found by in the cache.
const (
	ByOwner      = "owner"      // of pods: the UID of their job
	ByElasticJob = "elasticJob" // of Resizes: the name of their ElasticJob
	ByJob        = "job"        // of ElasticJobs: the job that they name, as KIND/NAME
	// byPredecessor is of ElasticJobs: the names of those that they start after.
	byPredecessor = "predecessor"
)

// NewScheme knows every kind that the operator reads, writes or, when it is taken out of a cluster, removes.
func NewScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme,
		known.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("building the scheme: %w", err)
		}
	}
	return scheme, nil
}

// Options keep little of what is cached: thousands of pods are looked at for a few of their
// fields. What is read from the cache is shared, and never written to. Nobody is told again of what has not changed,
// but for the ten hours after which informers do so by themselves: whoever waits for a moment has it waited for
// (RequeueAfter), what comes from the clock alone is the planner's (planning/rest.go) and the reader's, and a watch
// that breaks lists all anew.
func Options(s settings.Settings) cache.Options {
	pods, jobs, shared := new(alike), new(alike), new(words)
	options := cache.Options{
		DefaultTransform:             shared.in(jobs.trimJob),
		DefaultUnsafeDisableDeepCopy: new(true),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.Pod{}:          {Transform: shared.in(pods.trimPod)},
			&corev1.Node{}:         {Transform: trimNode},
			&v1alpha1.Resize{}:     {Transform: shared.in(TrimResize)},
			&v1alpha1.ElasticJob{}: {Transform: shared.in(TrimElasticJob)},
		},
	}
	if len(s.Namespaces) > 0 {
		options.DefaultNamespaces = map[string]cache.Config{}
		for _, name := range s.Namespaces {
			options.DefaultNamespaces[name] = cache.Config{}
		}
	}
	return options
}

// Index says by what objects are found.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	for _, each := range []struct {
		object client.Object
		field  string
		value  func(client.Object) []string
	}{
		{&corev1.Pod{}, ByOwner, func(o client.Object) []string {
			if _, owner, ours := known.OwnerOf(o); ours {
				return []string{string(owner.UID)}
			}
			return nil
		}},
		{&v1alpha1.Resize{}, ByElasticJob, func(o client.Object) []string {
			return []string{
				o.(*v1alpha1.Resize).Spec.ElasticJob,
			}
		}},
		{&v1alpha1.ElasticJob{}, ByJob, func(o client.Object) []string {
			return []string{
				o.(*v1alpha1.ElasticJob).Spec.JobRef.String(),
			}
		}},
		{&v1alpha1.ElasticJob{}, byPredecessor, func(o client.Object) (names []string) {
			for _, before := range o.(*v1alpha1.ElasticJob).Spec.After {
				names = append(names, before.Name)
			}
			return names
		}},
		{&autoscalingv2.HorizontalPodAutoscaler{}, ByJob, func(o client.Object) []string {
			target := o.(*autoscalingv2.HorizontalPodAutoscaler).Spec.ScaleTargetRef
			return []string{target.Kind + "/" + target.Name}
		}},
	} {
		if err := indexer.IndexField(ctx, each.object, each.field, each.value); err != nil {
			return fmt.Errorf("indexing %T by %s: %w", each.object, each.field, err)
		}
	}
	return nil
}

// Behind are the ElasticJobs that start after one, as far as they have not ended.
func Behind(ctx context.Context, c client.Reader, ej *v1alpha1.ElasticJob,
	how ...client.ListOption) ([]v1alpha1.ElasticJob, error) {
	var behind v1alpha1.ElasticJobList
	how = append(how, client.InNamespace(ej.Namespace), client.MatchingFields{byPredecessor: ej.Name})
	if err := c.List(ctx, &behind, how...); err != nil {
		return nil, fmt.Errorf("looking for those that start after %s: %w", ej.Name, err)
	}
	return slices.DeleteFunc(behind.Items, func(other v1alpha1.ElasticJob) bool { return other.Status.Over() }), nil
}
