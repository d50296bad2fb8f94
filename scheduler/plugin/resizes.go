package plugin

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/takt-dev/takt/api/v1alpha1"
)

const resizes = "resizes"

// lookAgain is how long after Resizes could not be read it is looked whether they can. An informer lets up to a minute
// pass by itself: as long as gangs wait for their Resizes at most.
const lookAgain = 2 * time.Second

// resizeClient reads and writes Resizes, as who the scheduler is, at a rate of its own: what is told of
// gangs must not slow down what is done for pods.
func resizeClient(config *rest.Config) (rest.Interface, error) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	metav1.AddToGroupVersion(scheme, v1alpha1.GroupVersion)
	config = rest.CopyConfig(config)
	config.GroupVersion = &v1alpha1.GroupVersion
	config.APIPath = "/apis"
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	config.QPS, config.Burst = 20, 40
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for Resizes: %w", err)
	}
	return client, nil
}

// resizeInformer watches all Resizes. Of each it keeps what the book asks for; they are many. It tells whether it
// can, and why not where it cannot.
func resizeInformer(client rest.Interface, tried func(error)) (cache.SharedIndexInformer, error) {
	source := cache.NewListWatchFromClient(client, resizes, metav1.NamespaceAll, fields.Everything())
	source.ListWithContextFunc = untilReadable(source.ListWithContextFunc, tried)
	informer := cache.NewSharedIndexInformer(source, &v1alpha1.Resize{}, 0, cache.Indexers{})
	if err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, r *cache.Reflector, err error) {
		tried(err)
		cache.DefaultWatchErrorHandler(ctx, r, err)
	}); err != nil {
		return nil, err
	}
	return informer, informer.SetTransform(func(object any) (any, error) {
		r, ok := object.(*v1alpha1.Resize)
		if !ok {
			return object, nil
		}
		kept := &v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{
			Namespace: r.Namespace, Name: r.Name, UID: r.UID, ResourceVersion: r.ResourceVersion,
			CreationTimestamp: r.CreationTimestamp,
		}}
		kept.Spec = r.Spec
		kept.Spec.Message, kept.Spec.Acceptable, kept.Spec.Sizes = "", nil, nil
		kept.Status.Asked = r.Status.Asked
		for _, c := range r.Status.Conditions {
			kept.Status.Conditions = append(kept.Status.Conditions, metav1.Condition{
				Type: c.Type, Status: c.Status, LastTransitionTime: c.LastTransitionTime,
			})
		}
		return kept, nil
	})
}

// untilReadable lists as soon as there is something to list, and a right to: somebody has to install the kinds of Takt,
// or give that right.
func untilReadable(list cache.ListWithContextFunc, tried func(error)) cache.ListWithContextFunc {
	return func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		for told := false; ; told = true {
			all, err := list(ctx, options)
			tried(err)
			if unreadable(err) == "" {
				return all, err
			}
			if !told {
				klog.FromContext(ctx).Error(err, "Cannot read Resizes; it is tried until they can be read", "every", lookAgain)
			}
			select {
			case <-ctx.Done():
				return nil, err
			case <-time.After(lookAgain):
			}
		}
	}
}
