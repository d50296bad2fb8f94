package faults

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
)

// latest is how late an event may come that is told of late.
const latest = time.Second

// newInformer is an informer that may be behind, and whose handlers may not hear of everything.
func (i *Injector) newInformer(source toolscache.ListerWatcher, object runtime.Object, resync time.Duration,
	indexers toolscache.Indexers) toolscache.SharedIndexInformer {
	return &informer{toolscache.NewSharedIndexInformer(&lagging{source, i}, object, resync, indexers), i}
}

type informer struct {
	toolscache.SharedIndexInformer
	*Injector
}

// AddEventHandler adds a handler that does not hear of everything, unless it belongs to the cache: how far
// that is read by it, and it would seem to be behind for as long as nothing else happens.
func (f *informer) AddEventHandler(h toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration,
	error) {
	if _, ok := h.(interface {
		SetMinimumRV(types.NamespacedName, int64)
	}); ok {
		return f.SharedIndexInformer.AddEventHandler(h)
	}
	return f.SharedIndexInformer.AddEventHandler(&handler{h, f.Injector})
}

// AddEventHandlerWithResyncPeriod does the same.
func (f *informer) AddEventHandlerWithResyncPeriod(h toolscache.ResourceEventHandler,
	every time.Duration) (toolscache.ResourceEventHandlerRegistration, error) {
	return f.SharedIndexInformer.AddEventHandlerWithResyncPeriod(&handler{h, f.Injector}, every)
}

// AddEventHandlerWithOptions does the same.
func (f *informer) AddEventHandlerWithOptions(h toolscache.ResourceEventHandler,
	o toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	return f.SharedIndexInformer.AddEventHandlerWithOptions(&handler{h, f.Injector}, o)
}

// handler hears of most things.
type handler struct {
	to toolscache.ResourceEventHandler
	*Injector
}

// OnAdd hands on that there is an object. What is there from the beginning is never missed: it is
// listed, not told of.
func (h *handler) OnAdd(object any, initial bool) {
	if initial {
		h.to.OnAdd(object, initial)
		return
	}
	h.tell(func() { h.to.OnAdd(object, false) })
}

// OnUpdate hands on a change.
func (h *handler) OnUpdate(before, after any) { h.tell(func() { h.to.OnUpdate(before, after) }) }

// OnDelete hands on that an object is gone.
func (h *handler) OnDelete(object any) { h.tell(func() { h.to.OnDelete(object) }) }

func (h *handler) tell(event func()) {
	if h.befalls(h.Miss) {
		return
	}
	if h.befalls(h.Repeat) {
		event()
		time.AfterFunc(h.moment(), event)
	}
	if h.befalls(h.Shuffle) {
		time.AfterFunc(h.moment(), event)
		return
	}
	event()
}

func (i *Injector) moment() time.Duration {
	i.mu.Lock()
	defer i.mu.Unlock()
	return time.Duration(i.chance.Int64N(int64(latest)))
}
