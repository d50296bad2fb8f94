package cached

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// serving is an API server that has pods alone, of three owners in two namespaces, none of which changes.
func serving(t *testing.T) *httptest.Server {
	t.Helper()
	pod := func(namespace, name, owner string) corev1.Pod {
		return corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, Labels: map[string]string{"of": owner},
		}}
	}
	all := corev1.PodList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}, ListMeta: metav1.ListMeta{ResourceVersion: "7"},
		Items: []corev1.Pod{pod("a", "0", "x"), pod("a", "1", "x"), pod("a", "2", "y"), pod("b", "0", "x")},
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("sendInitialEvents") != "" { // it knows no such lists
			w.WriteHeader(http.StatusUnprocessableEntity)
			_ = json.NewEncoder(w).Encode(apierrors.NewInvalid(schema.GroupKind{}, "", nil).Status())
			return
		}
		if r.URL.Query().Get("watch") == "" {
			_, _ = w.Write(text)
			return
		}
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	return server
}

// What is listed by an index is what the cache would list, which makes the index under a name of its own.
func TestAnIndexListsWhatTheCacheWould(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	scheme, err := NewScheme()
	if err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	server := serving(t)
	for name, namespaces := range map[string]map[string]cache.Config{
		"all": nil, "of one": {"a": {}}, "of two": {"a": {}, "b": {}},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := cache.New(&rest.Config{Host: server.URL},
				cache.Options{Scheme: scheme, Mapper: mapper, HTTPClient: server.Client(), DefaultNamespaces: namespaces,
					DefaultUnsafeDisableDeepCopy: new(true)})
			if err != nil {
				t.Fatal(err)
			}
			if err := all.IndexField(ctx, &corev1.Pod{}, ByOwner, func(o client.Object) []string {
				return []string{o.GetLabels()["of"]}
			}); err != nil {
				t.Fatal(err)
			}
			indexes := &Indexes{Cache: all}
			x := []client.ListOption{client.InNamespace("a"), client.MatchingFields{ByOwner: "x"}, AtOnce}
			var got, want corev1.PodList
			if indexes.list(ctx, &got, x) {
				t.Error("nothing was heard of pods yet, and they are listed")
			}
			go func() { _ = all.Start(ctx) }()
			if !all.WaitForCacheSync(ctx) {
				t.Fatal("the cache does not hear of pods")
			}
			if listed := indexes.list(ctx, &got, x); listed != (len(namespaces) == 0) {
				t.Errorf("it is listed by an index: %t", listed)
			}
			if len(namespaces) > 0 {
				return
			}
			if err := all.List(ctx, &want, x...); err != nil || len(want.Items) != 2 {
				t.Fatalf("%d pods: %v", len(want.Items), err)
			}
			byName := func(list corev1.PodList) map[string]corev1.Pod {
				named := map[string]corev1.Pod{}
				for _, pod := range list.Items {
					named[pod.Name] = pod
				}
				return named
			}
			if diff := cmp.Diff(byName(want), byName(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWhatNoIndexCanTellIsLeftToTheCache(t *testing.T) {
	for name, options := range map[string][]client.ListOption{
		"all":             {AtOnce},
		"of no namespace": {client.MatchingFields{ByOwner: "x"}, AtOnce},
		"by no field":     {client.InNamespace("a"), AtOnce},
		"by two fields":   {client.InNamespace("a"), client.MatchingFields{ByOwner: "x", ByJob: "y"}, AtOnce},
		"by labels":       {client.InNamespace("a"), client.MatchingFields{ByOwner: "x"}, client.MatchingLabels{"a": "b"}},
		"some of them":    {client.InNamespace("a"), client.MatchingFields{ByOwner: "x"}, client.Limit(1)},
		"by a field twice": {
			client.InNamespace("a"), client.MatchingFields{ByOwner: "x"}, client.MatchingFields{ByOwner: "y"},
		},
	} {
		if k, ok := keyOf(options); ok {
			t.Errorf("%s: it is looked for by %+v", name, k)
		}
	}
}
