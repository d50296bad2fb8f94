package pacing

import (
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// fair is a line in which the namespaces take turns: whoever has ten thousand objects to be looked at keeps each other
// namespace waiting for one of them.
type fair struct {
	waiting map[string][]reconcile.Request // by namespace, and none is empty
	turns   []string                       // the namespaces that wait, the next one first
	n       int
}

// NewFairQueue makes the work queue of a controller.
func NewFairQueue(name string, limits workqueue.TypedRateLimiter[reconcile.Request]) Queue {
	type request = reconcile.Request
	queue := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[request]{
		Name: name, Queue: newFair(), Clock: seldomTicks{clock.RealClock{}},
	})
	return workqueue.NewTypedRateLimitingQueueWithConfig(limits, workqueue.TypedRateLimitingQueueConfig[request]{
		DelayingQueue: workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[request]{
			Name: name, Queue: queue,
		}),
	})
}

func newFair() *fair { return &fair{waiting: map[string][]reconcile.Request{}} }

// Touch leaves a request where it is that comes again.
func (*fair) Touch(reconcile.Request) {}

// Push puts a request at the end of the line of its namespace.
func (f *fair) Push(r reconcile.Request) {
	if len(f.waiting[r.Namespace]) == 0 {
		f.turns = append(f.turns, r.Namespace)
	}
	f.waiting[r.Namespace] = append(f.waiting[r.Namespace], r)
	f.n++
}

// Len is how many wait.
func (f *fair) Len() int { return f.n }

// Pop is the first of the namespace whose turn it is.
func (f *fair) Pop() reconcile.Request {
	namespace := f.turns[0]
	f.turns = f.turns[1:]
	these := f.waiting[namespace]
	if len(these) > 1 {
		f.waiting[namespace] = these[1:]
		f.turns = append(f.turns, namespace)
	} else {
		delete(f.waiting, namespace)
	}
	f.n--
	return these[0]
}
