package cached

import (
	"context"
	"reflect"
	"sync"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Indexes are those of the cache, for kinds that a plan lists thousands of times: a list that the cache itself makes
// costs as much as all else that is done for a job. Where a kind has several informers, one for each namespace, or has
// not been heard of yet, the cache makes it all the same.
type Indexes struct {
	Cache cache.Cache
	found sync.Map // informers, by the types of their objects
}

// informer is one whose index can be read.
type informer interface {
	HasSynced() bool
	GetIndexer() toolscache.Indexer
}

// list lists what is found in one namespace by one field, and says whether it can.
func (x *Indexes) list(ctx context.Context, into client.ObjectList, options []client.ListOption) bool {
	key, ok := keyOf(options)
	if x == nil || !ok {
		return false
	}
	switch list := into.(type) {
	case *corev1.PodList:
		return take(ctx, x, key, &list.Items)
	case *v1alpha1.ResizeList:
		return take(ctx, x, key, &list.Items)
	case *v1alpha1.ElasticJobList:
		return take(ctx, x, key, &list.Items)
	case *autoscalingv2.HorizontalPodAutoscalerList:
		return take(ctx, x, key, &list.Items)
	}
	return false
}

// object is a type that a pointer to it is an object of.
type object[T any] interface {
	*T
	client.Object
}

// key is by what objects are found in an index, as the cache has made it.
type key struct{ index, value string }

// keyOf is what such a list asks for; false if it asks for anything else.
func keyOf(options []client.ListOption) (k key, ok bool) {
	namespace, value := "", ""
	for _, option := range options {
		switch o := option.(type) {
		case client.InNamespace:
			namespace = string(o)
		case client.MatchingFields:
			if len(o) != 1 || k.index != "" {
				return k, false
			}
			for field := range o {
				k.index, value = "field:"+field, o[field]
			}
		default:
			if option != client.ListOption(AtOnce) {
				return k, false
			}
		}
	}
	k.value = namespace + "/" + value
	return k, namespace != "" && k.index != ""
}

// take takes from an index what it has, and says whether it can.
func take[T any, P object[T]](ctx context.Context, x *Indexes, of key, into *[]T) bool {
	from := informerOf[T, P](ctx, x)
	if from == nil {
		return false
	}
	objects, err := from.GetIndexer().ByIndex(of.index, of.value)
	if err != nil { // there is no such index
		return false
	}
	*into = make([]T, 0, len(objects))
	for _, found := range objects {
		if one, ok := found.(P); ok {
			*into = append(*into, *one)
		}
	}
	return true
}

// informerOf is the informer of a kind; nil if there is none to be read.
func informerOf[T any, P object[T]](ctx context.Context, x *Indexes) informer {
	if known, ok := x.found.Load(reflect.TypeFor[T]()); ok {
		return known.(informer)
	}
	one, err := x.Cache.GetInformer(ctx, P(new(T)), cache.BlockUntilSynced(false))
	if err != nil {
		return nil
	}
	found, ok := one.(informer)
	if !ok || !found.HasSynced() {
		return nil
	}
	x.found.Store(reflect.TypeFor[T](), found)
	return found
}
