package operator

import (
	"context"
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// pace is how often something is done for one object: so many times in a row after a rest, and then once in a while.
// Whoever changes an object a hundred times a second has it looked at as often as one who changes it once a second: what
// counts is what it is at last.
type pace struct {
	most  int
	every time.Duration
}

var (
	// lookPace is for looking at an object: what trains tells its progress once a second, at most.
	lookPace = pace{20, time.Second}
	// stepPace is for the steps of a resize, which are many, and are not to wait.
	stepPace = pace{50, time.Second / 5}
	// wordsPace is for what is written on a job anew, each of which takes some writes.
	wordsPace = pace{10, 10 * time.Second}
)

const (
	// mostCalls is how many plans in a row one object calls for.
	mostCalls = 10
	// mostSaid is how many statuses in a row are written of one object.
	mostSaid = 20
)

// allowances count what was done for each object.
type allowances struct {
	mu sync.Mutex
	// spent is by when all that was done would have been done at an even pace.
	spent map[types.NamespacedName]time.Time
	swept int // how many there were after the last sweep
}

// leastSwept is how many objects are remembered before those are forgotten that have rested.
const leastSwept = 64

// spend is for doing something now. Where that is too often, nothing is spent, and it is how long to wait.
func (a *allowances) spend(of types.NamespacedName, p pace, now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	spent := a.spent[of]
	if spent.Before(now) {
		spent = now
	}
	if wait := spent.Sub(now) - time.Duration(p.most-1)*p.every; wait > 0 {
		return wait
	}
	if a.spent == nil {
		a.spent = map[types.NamespacedName]time.Time{}
	}
	if a.spent[of] = spent.Add(p.every); len(a.spent) > leastSwept+2*a.swept {
		maps.DeleteFunc(a.spent, func(_ types.NamespacedName, spent time.Time) bool { return !spent.After(now) })
		a.swept = len(a.spent)
	}
	return 0
}

// paced looks at an object no more often than that.
func (o *Operator) paced(p pace, r reconcile.Reconciler) reconcile.Reconciler {
	var looks allowances
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		if wait := looks.spend(request.NamespacedName, p, o.now()); wait > 0 {
			return reconcile.Result{RequeueAfter: wait}, nil
		}
		return r.Reconcile(ctx, request)
	})
}

// calls are those for a plan that the changes of single objects make. One that comes too often is made later, once.
type calls struct {
	allowances
	after func(time.Duration, func()) // does something after a while

	owing sync.Mutex
	owed  map[types.NamespacedName]bool
}

func newCalls() *calls {
	return &calls{
		after: func(wait time.Duration, do func()) { time.AfterFunc(wait, do) },
		owed:  map[types.NamespacedName]bool{},
	}
}

// call calls for a plan because of one object, now or as soon as its pace allows that.
func (c *calls) call(of types.NamespacedName, p pace, now func() time.Time, kick func()) {
	wait := c.spend(of, p, now())
	if wait <= 0 {
		kick()
		return
	}
	c.owing.Lock()
	defer c.owing.Unlock()
	if c.owed[of] {
		return
	}
	c.owed[of] = true
	c.after(wait, func() {
		c.owing.Lock()
		delete(c.owed, of)
		c.owing.Unlock()
		c.call(of, p, now, kick)
	})
}
