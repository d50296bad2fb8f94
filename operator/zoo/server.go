package zoo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// Server is an API server in memory, as a client sees it. What is read is shared, as from a cache that does
// not copy. What is written is seen at once.
type Server struct {
	clock  *Clock
	scheme *runtime.Scheme
	mapper *meta.DefaultRESTMapper

	mu      sync.Mutex
	kinds   map[schema.GroupKind]*shelf
	version int
	watches []func(before, after client.Object)
}

// shelf holds the objects of a kind, in the order of their names.
type shelf struct {
	byName  map[types.NamespacedName]client.Object
	sorted  []client.Object // nil once something came or went
	indexes map[string]client.IndexerFunc
	found   map[string]map[string][]client.Object // by index and value; nil once something was written
}

// NewServer is empty. It knows the kinds of the scheme.
func NewServer(clock *Clock, scheme *runtime.Scheme) *Server {
	mapper := meta.NewDefaultRESTMapper(scheme.PrioritizedVersionsAllGroups())
	for gvk := range scheme.AllKnownTypes() {
		mapper.Add(gvk, meta.RESTScopeNamespace)
	}
	return &Server{clock: clock, scheme: scheme, mapper: mapper, kinds: map[schema.GroupKind]*shelf{}}
}

// Watch tells of every change from now on, while it happens. One of both is nil where an object comes or goes.
func (s *Server) Watch(tell func(before, after client.Object)) { s.watches = append(s.watches, tell) }

// Now is the moment as objects tell it, in whole seconds.
func (s *Server) Now() metav1.Time { return metav1.NewTime(s.clock.Now().Truncate(time.Second)) }

// IndexField says by what objects are found.
func (s *Server) IndexField(_ context.Context, of client.Object, field string, value client.IndexerFunc) error {
	at, err := s.shelf(of)
	if err == nil {
		at.indexes[field] = value
	}
	return err
}

func (s *Server) shelf(of runtime.Object) (*shelf, error) {
	gvk, err := apiutil.GVKForObject(of, s.scheme)
	if err != nil {
		return nil, err
	}
	kind := gvk.GroupKind()
	if _, is := of.(client.ObjectList); is {
		kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	}
	at := s.kinds[kind]
	if at == nil {
		at = &shelf{byName: map[types.NamespacedName]client.Object{}, indexes: map[string]client.IndexerFunc{}}
		s.kinds[kind] = at
	}
	return at, nil
}

func (sh *shelf) all() []client.Object {
	if sh.sorted == nil {
		for _, o := range sh.byName {
			sh.sorted = append(sh.sorted, o)
		}
		slices.SortFunc(sh.sorted, func(a, b client.Object) int {
			return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
		})
	}
	return sh.sorted
}

func (sh *shelf) by(field, value string) []client.Object {
	if sh.found == nil {
		sh.found = map[string]map[string][]client.Object{}
	}
	if sh.found[field] == nil {
		sh.found[field] = map[string][]client.Object{}
		for _, o := range sh.all() {
			for _, v := range sh.indexes[field](o) {
				sh.found[field][v] = append(sh.found[field][v], o)
			}
		}
	}
	return sh.found[field][value]
}

func (s *Server) notFound(of client.Object, name string) error {
	gvk, _ := apiutil.GVKForObject(of, s.scheme)
	return apierrors.NewNotFound(schema.GroupResource{Group: gvk.Group, Resource: gvk.Kind}, name)
}

// Get reads an object.
func (s *Server) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.shelf(into)
	if err != nil {
		return err
	}
	o, ok := at.byName[key]
	if !ok {
		return s.notFound(into, key.Name)
	}
	if plain, is := into.(*unstructured.Unstructured); is {
		gvk := plain.GroupVersionKind()
		plain.Object, err = runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		plain.SetGroupVersionKind(gvk)
		return err
	}
	fill(into, o)
	return nil
}

// fill makes an object what another is, without a copy of what it points to.
func fill(into, from any) { reflect.ValueOf(into).Elem().Set(reflect.ValueOf(from).Elem()) }

// List reads those objects of a kind that are asked for.
func (s *Server) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.shelf(into)
	if err != nil {
		return err
	}
	var o client.ListOptions
	o.ApplyOptions(options)
	found := at.all()
	if o.FieldSelector != nil {
		for _, r := range o.FieldSelector.Requirements() {
			if at.indexes[r.Field] == nil {
				return fmt.Errorf("there is no index %q", r.Field)
			}
			found = at.by(r.Field, r.Value)
		}
	}
	items := reflect.ValueOf(into).Elem().FieldByName("Items")
	items.SetLen(0)
	for _, object := range found {
		if o.Namespace != "" && o.Namespace != object.GetNamespace() ||
			o.LabelSelector != nil && !o.LabelSelector.Matches(set(object.GetLabels())) {
			continue
		}
		items.Set(reflect.Append(items, reflect.ValueOf(object).Elem()))
	}
	return nil
}

type set map[string]string

func (s set) Has(label string) bool                       { _, ok := s[label]; return ok }
func (s set) Get(label string) string                     { return s[label] }
func (s set) Lookup(label string) (value string, ok bool) { value, ok = s[label]; return value, ok }

// Create adds an object.
func (s *Server) Create(_ context.Context, o client.Object, _ ...client.CreateOption) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.shelf(o)
	if err != nil {
		return err
	}
	if at.byName[client.ObjectKeyFromObject(o)] != nil {
		return apierrors.NewAlreadyExists(schema.GroupResource{Resource: fmt.Sprintf("%T", o)}, o.GetName())
	}
	added := o.DeepCopyObject().(client.Object)
	if added.GetUID() == "" {
		added.SetUID(types.UID(fmt.Sprintf("%s-%d", added.GetName(), s.version)))
	}
	if at := added.GetCreationTimestamp(); at.IsZero() {
		added.SetCreationTimestamp(s.Now())
	}
	added.SetGeneration(1)
	s.put(at, nil, added)
	fill(o, added)
	return nil
}

// put stores a version of an object, and tells of it. after is nil where it goes.
func (s *Server) put(at *shelf, before, after client.Object) {
	s.version++
	at.sorted, at.found = nil, nil
	if after == nil {
		delete(at.byName, client.ObjectKeyFromObject(before))
	} else {
		after.SetResourceVersion(strconv.Itoa(s.version))
		at.byName[client.ObjectKeyFromObject(after)] = after
	}
	s.mu.Unlock()
	defer s.mu.Lock()
	for _, tell := range s.watches {
		tell(before, after)
	}
}

// Change changes a copy of an object and stores it, as another controller would; false if there is none.
func Change[T client.Object](s *Server, o T, change func(T)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.shelf(o)
	if err != nil {
		return false
	}
	before, ok := at.byName[client.ObjectKeyFromObject(o)]
	if !ok {
		return false
	}
	after := before.DeepCopyObject().(T)
	change(after)
	s.put(at, before, after)
	return true
}

// Delete deletes an object. A pod ends first, which is for its kubelet to see to.
func (s *Server) Delete(_ context.Context, o client.Object, options ...client.DeleteOption) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.shelf(o)
	if err != nil {
		return err
	}
	var asked client.DeleteOptions
	asked.ApplyOptions(options)
	before, ok := at.byName[client.ObjectKeyFromObject(o)]
	if !ok {
		return s.notFound(o, o.GetName())
	}
	if p := asked.Preconditions; p != nil && p.UID != nil && *p.UID != before.GetUID() {
		return conflict(before)
	}
	if pod, is := before.(*corev1.Pod); is && pod.Spec.NodeName != "" && asked.GracePeriodSeconds == nil {
		if pod.DeletionTimestamp == nil {
			after := pod.DeepCopy()
			after.DeletionTimestamp = new(s.Now())
			s.put(at, before, after)
		}
		return nil
	}
	s.put(at, before, nil)
	return nil
}

func conflict(o client.Object) error {
	return apierrors.NewConflict(schema.GroupResource{Resource: fmt.Sprintf("%T", o)}, o.GetName(),
		errors.New("it has changed meanwhile"))
}

// Scheme is that of its kinds.
func (s *Server) Scheme() *runtime.Scheme { return s.scheme }

// RESTMapper knows all kinds.
func (s *Server) RESTMapper() meta.RESTMapper { return s.mapper }

// GroupVersionKindFor is the kind of an object.
func (s *Server) GroupVersionKindFor(o runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(o, s.scheme)
}

// IsObjectNamespaced is not asked of it.
func (*Server) IsObjectNamespaced(runtime.Object) (bool, error) { return true, nil }
