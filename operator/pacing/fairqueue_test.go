package pacing

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Thousands of objects of one namespace keep those of others waiting for no more than one of them each, and each
// namespace has its own looked at in the order in which they came.
func TestNamespacesTakeTurns(t *testing.T) {
	q := NewFairQueue("", workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	defer q.ShutDown()
	add := func(namespace string, n int) {
		for i := range n {
			q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: fmt.Sprint(i)}})
		}
	}
	next := func(n int) (got []string) {
		for range n {
			request, _ := q.Get()
			got = append(got, request.String())
			q.Done(request)
		}
		return got
	}
	add("hostile", 10_000)
	next(100)
	add("humble", 2)
	add("other", 1)
	want := []string{"hostile/100", "humble/0", "other/0", "hostile/101", "humble/1", "hostile/102", "hostile/103"}
	if got := next(len(want)); !slices.Equal(got, want) {
		t.Errorf("they come in the order %v, want %v", got, want)
	}
	if q.Len() != 10_000-104 {
		t.Errorf("%d wait", q.Len())
	}
}
