package world

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/invariant"
)

// Event is what became of an object.
type Event string

// What becomes of objects.
const (
	Made    Event = "made"
	Changed Event = "changed"
	Gone    Event = "gone"
)

// Record is one thing that was seen to happen: an object as it was then.
type Record struct {
	At     time.Time
	Event  Event
	Kind   string
	Object client.Object
}

// History is everything that has happened to the pods, jobs, ElasticJobs, Resizes and
// TrainingProfiles of a world, as the API server tells those who watch. It is a moment behind.
type History struct {
	mutex   sync.Mutex
	records []Record
	// now is everything that there is, by kind and UID.
	now        map[string]map[string]client.Object
	gpus       map[string]int64 // of the nodes
	violations []string
	namespace  string
	gaps       bool
}

// watch begins a history, which goes on until the context ends.
func watch(ctx context.Context, w *World) *History {
	w.t.Helper()
	h := &History{now: map[string]map[string]client.Object{}, gpus: w.nodes, namespace: w.Namespace, gaps: w.options.Gaps}
	watched, err := cache.New(w.config, cache.Options{
		Scheme: scheme(), Mapper: w.Client.RESTMapper(),
		DefaultNamespaces: map[string]cache.Config{w.Namespace: {}},
	})
	w.must(err)
	objects := []client.Object{&corev1.Pod{}, &v1alpha1.ElasticJob{}, &v1alpha1.Resize{}, &v1alpha1.TrainingProfile{}}
	for _, kind := range []string{"PyTorchJob", "TFJob", "Job"} {
		objects = append(objects, w.TrainingJob(kind, ""))
	}
	for _, object := range objects {
		gvk, err := apiutil.GVKForObject(object, scheme())
		w.must(err)
		informer, err := watched.GetInformer(ctx, object, cache.BlockUntilSynced(false))
		w.must(err)
		see := func(event Event, object any) {
			if gone, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
				object = gone.Obj
			}
			if object, ok := object.(client.Object); ok {
				h.see(Record{At: time.Now(), Event: event, Kind: gvk.Kind, Object: object})
			}
		}
		_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
			AddFunc:    func(object any) { see(Made, object) },
			DeleteFunc: func(object any) { see(Gone, object) },
			UpdateFunc: func(old, object any) {
				if old.(client.Object).GetResourceVersion() != object.(client.Object).GetResourceVersion() {
					see(Changed, object)
				}
			},
		})
		w.must(err)
	}
	go func() {
		if err := watched.Start(ctx); err != nil {
			w.logs.add("the history is incomplete: " + err.Error())
		}
	}()
	if !watched.WaitForCacheSync(ctx) {
		w.t.Fatal("the history cannot begin")
	}
	return h
}

func (h *History) hasNode(name string, gpus int64) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if gpus == 0 {
		delete(h.gpus, name)
		return
	}
	h.gpus[name] = gpus
}

// see takes something down, and checks what must always hold.
func (h *History) see(r Record) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.records = append(h.records, r)
	of := h.now[r.Kind]
	if of == nil {
		of = map[string]client.Object{}
		h.now[r.Kind] = of
	}
	uid := string(r.Object.GetUID())
	before := of[uid]
	of[uid] = r.Object
	if r.Event == Gone {
		delete(of, uid)
		return
	}
	if h.gaps {
		before = nil // it may not be the last that there was
	}
	var found []string
	switch object := r.Object.(type) {
	case *v1alpha1.ElasticJob:
		was, _ := before.(*v1alpha1.ElasticJob)
		found = invariant.ElasticJob(was, object)
	case *v1alpha1.Resize:
		was, _ := before.(*v1alpha1.Resize)
		found = invariant.Resize(was, object)
		if !h.gaps {
			found = append(found, invariant.Resizes(all[*v1alpha1.Resize](of))...)
		}
	case *corev1.Pod:
		if !h.gaps {
			found = invariant.Capacity(h.gpus, all[*corev1.Pod](of))
		}
	}
	h.mustNotBe(found)
}

func (h *History) mustNotBe(found []string) {
	for _, violation := range found {
		if !slices.Contains(h.violations, violation) {
			h.violations = append(h.violations, violation)
		}
	}
}

func all[T client.Object](of map[string]client.Object) []T {
	var list []T
	for _, object := range of {
		list = append(list, object.(T))
	}
	return list
}

// checkInvariants fails the test if anything was ever seen that must not be.
func (w *World) checkInvariants() {
	w.History.mutex.Lock()
	defer w.History.mutex.Unlock()
	now := w.History.now // after a gap, one is told of what is new and what has changed in any order
	w.History.mustNotBe(invariant.Capacity(w.History.gpus, all[*corev1.Pod](now["Pod"])))
	w.History.mustNotBe(invariant.Resizes(all[*v1alpha1.Resize](now["Resize"])))
	for _, violation := range w.History.violations {
		w.t.Error("this must never be:", violation)
	}
}

// String is what has happened, without the changes that only report progress.
func (h *History) String() string { return h.story(func(string) bool { return true }) }

// Story is what has happened to a job: to itself, its ElasticJob, its Resizes and its pods.
func (h *History) Story(job string) string {
	return h.story(func(name string) bool { return name == job || strings.HasPrefix(name, job+"-") })
}

func (h *History) story(about func(name string) bool) string {
	var b strings.Builder
	generations := map[string]int64{}
	for _, r := range h.Since(0) {
		if !about(r.Object.GetName()) {
			continue
		}
		uid, generation := string(r.Object.GetUID()), r.Object.GetGeneration()
		if _, job := r.Object.(*unstructured.Unstructured); job && r.Event == Changed && generations[uid] == generation {
			continue
		}
		generations[uid] = generation
		fmt.Fprintf(&b, "%s %s %s %s%s\n", r.At.Format("15:04:05.000"), r.Kind, r.Object.GetName(), r.Event,
			described(r.Object))
	}
	return b.String()
}
