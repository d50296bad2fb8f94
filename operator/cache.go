package operator

import (
	"context"
	"fmt"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/settings"
)

// What objects are found by in the cache.
const (
	ownerField      = "owner"      // of pods: the UID of their controller
	elasticJobField = "elasticJob" // of Resizes: the name of their ElasticJob
	jobField        = "job"        // of ElasticJobs: the job that they name, as PyTorchJob/resnet
)

// newScheme knows every kind that the operator reads or writes.
func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme, adapter.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("building the scheme: %w", err)
		}
	}
	return scheme, nil
}

// cacheOptions keep little of what is cached: thousands of pods are looked at for a few of their
// fields. What is read from the cache is shared, and never written to. Nobody is told again of what has not changed, but
// for the ten hours after which informers do so by themselves: whoever waits for a moment has it waited for (RequeueAfter),
// what comes from the clock alone is the planner's (rest.go) and the reader's, and a watch that breaks lists all anew.
func cacheOptions(s settings.Settings) cache.Options {
	options := cache.Options{
		DefaultTransform:             slimAny,
		DefaultUnsafeDisableDeepCopy: new(true),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.Pod{}:          {Transform: slimPod},
			&corev1.Node{}:         {Transform: slimNode},
			&v1alpha1.Resize{}:     {Transform: slimResize},
			&v1alpha1.ElasticJob{}: {Transform: slimElasticJob},
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

// clientOptions have reads wait until the cache has what this process has written: else a step is taken
// twice, and the second time refused as a conflict.
func clientOptions() client.Options {
	return client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: new(true)}}
}

// caughtUpWithin bounds how long a read waits so. What it waits for comes within milliseconds, or not before
// a broken watch is made anew, which takes a minute and is not this read's to await.
const caughtUpWithin = 30 * time.Second

// punctual is a client whose reads do not wait for ever for the cache.
type punctual struct{ client.Client }

// Get reads an object.
func (p punctual) Get(ctx context.Context, key client.ObjectKey, into client.Object, options ...client.GetOption) error {
	ctx, cancel := context.WithTimeout(ctx, caughtUpWithin)
	defer cancel()
	return p.Client.Get(ctx, key, into, options...)
}

// List reads all objects that there are of a kind.
func (p punctual) List(ctx context.Context, into client.ObjectList, options ...client.ListOption) error {
	ctx, cancel := context.WithTimeout(ctx, caughtUpWithin)
	defer cancel()
	return p.Client.List(ctx, into, options...)
}

// atOnce has a list not wait so. It would wait for whatever is written of its kind at the time, and a
// plan lists thousands of times while hundreds of statuses are written. Who needs to see what was
// written of one object gets that object first.
const atOnce = client.DisableReadYourWritesConsistency

// index says by what objects are found.
func index(ctx context.Context, indexer client.FieldIndexer) error {
	for _, each := range []struct {
		object client.Object
		field  string
		value  func(client.Object) []string
	}{
		{&corev1.Pod{}, ownerField, func(o client.Object) []string {
			if owner := metav1.GetControllerOf(o); owner != nil {
				return []string{string(owner.UID)}
			}
			return nil
		}},
		{&v1alpha1.Resize{}, elasticJobField, func(o client.Object) []string { return []string{o.(*v1alpha1.Resize).Spec.ElasticJob} }},
		{&v1alpha1.ElasticJob{}, jobField, func(o client.Object) []string { return []string{o.(*v1alpha1.ElasticJob).Spec.JobRef.String()} }},
		{&autoscalingv2.HorizontalPodAutoscaler{}, jobField, func(o client.Object) []string {
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
