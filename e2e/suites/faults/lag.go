package faults

import (
	"context"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// behindAtMost is how long a cache may be behind that waits for the operator's next writes.
	behindAtMost = 1500 * time.Millisecond
	// lookAgain is how often it is seen whether the operator has written since.
	lookAgain = 50 * time.Millisecond
)

// lagging hands on what happens once the operator has written a number of times since, so that it
// reads the state that was before its last writes.
type lagging struct {
	toolscache.ListerWatcher
	*Injector
}

// Watch watches, some writes behind.
func (l *lagging) Watch(options metav1.ListOptions) (watch.Interface, error) {
	inner, err := l.ListerWatcher.Watch(options) //nolint:staticcheck // the interface that informers are made of
	if err != nil || l.Lag == 0 {
		return inner, err
	}
	ctx, stop := context.WithCancel(context.Background())
	w := &behind{inner: inner, out: make(chan watch.Event), ctx: ctx, stop: stop, injector: l.Injector}
	w.listing = options.SendInitialEvents != nil && *options.SendInitialEvents
	go w.run()
	return w, nil
}

// behind is a watch that is some writes behind.
type behind struct {
	inner    watch.Interface
	out      chan watch.Event
	ctx      context.Context //nolint:containedctx // a watch is stopped by a method
	stop     func()
	once     sync.Once
	injector *Injector
	listing  bool // what comes is what was there from the beginning
}

type held struct {
	event watch.Event
	write int
	at    time.Time
}

// ResultChan is where the events come.
func (b *behind) ResultChan() <-chan watch.Event { return b.out }

// Stop ends the watch.
func (b *behind) Stop() { b.once.Do(func() { b.stop(); b.inner.Stop() }) }

func (b *behind) run() {
	defer close(b.out)
	var line []held
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		var out chan watch.Event
		var next watch.Event
		if len(line) > 0 && b.due(line[0]) {
			out, next = b.out, line[0].event
		}
		select {
		case <-b.ctx.Done():
			return
		case event, open := <-b.inner.ResultChan():
			if !open {
				return // who watches lists anew, and misses nothing
			}
			line = append(line, b.hold(event))
		case out <- next:
			line = line[1:]
		case <-again.C:
		}
	}
}

func (b *behind) hold(event watch.Event) held {
	if !b.listing {
		b.injector.befalls(1)
	}
	h := held{event, len(b.injector.Writes()), time.Now()}
	if b.listing {
		h.at = time.Time{}
		object, ok := event.Object.(client.Object)
		b.listing = event.Type != watch.Bookmark || !ok ||
			object.GetAnnotations()[metav1.InitialEventsAnnotationKey] != "true"
	}
	return h
}

func (b *behind) due(h held) bool {
	i := b.injector
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.off || len(i.writes) >= h.write+i.Lag || time.Since(h.at) > behindAtMost
}
