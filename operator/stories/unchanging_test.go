package stories

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/settings"
)

// cachedOf is the client of an operator whose caches have these objects, of which none changes.
func cachedOf(ctx context.Context, config *rest.Config, web *http.Client,
	all map[reflect.Type][]runtime.Object) (client.Client, error) {
	scheme, err := cached.NewScheme()
	if err != nil {
		return nil, err
	}
	mapper, options := testrestmapper.TestOnlyStaticRESTMapper(scheme), cached.Options(settings.Default())
	options.Scheme, options.Mapper, options.HTTPClient = scheme, mapper, web
	options.NewInformer = func(_ toolscache.ListerWatcher, of runtime.Object, every time.Duration,
		indexers toolscache.Indexers) toolscache.SharedIndexInformer {
		return toolscache.NewSharedIndexInformer(unchanging(all[reflect.TypeOf(of)]), of, every, indexers)
	}
	informers, err := cache.New(config, options)
	if err != nil {
		return nil, err
	}
	if err := cached.Index(ctx, informers); err != nil {
		return nil, err
	}
	go func() { _ = informers.Start(ctx) }()
	through := cached.ClientOptions()
	through.Scheme, through.Mapper, through.HTTPClient, through.Cache.Reader = scheme, mapper, web, informers
	reads, err := client.New(config, through)
	return cached.Punctual{Client: reads, Indexes: &cached.Indexes{Cache: informers}}, err
}

// unchanging lists objects of one kind, of which none changes.
func unchanging(objects []runtime.Object) toolscache.ListerWatcher {
	return listed{&toolscache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			list := &metav1.List{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
			for _, o := range objects {
				list.Items = append(list.Items, runtime.RawExtension{Object: o})
			}
			return list, nil
		},
		WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) {
			return watch.NewFake(), nil
		},
	}}
}

// listed has an informer list first, and then watch.
type listed struct{ *toolscache.ListWatch }

// IsWatchListSemanticsUnSupported says that nothing but a list tells what there is.
func (listed) IsWatchListSemanticsUnSupported() bool { return true }
