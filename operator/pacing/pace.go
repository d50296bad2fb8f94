package pacing

import (
	"context"
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Pace is how often something is done for one object: so many times in a row after a rest, and then once in a while.
// Whoever changes an object a hundred times a second has it looked at as often as one who changes it once a second:
// what counts is what it is at last.
type Pace struct {
	Most  int
	Every time.Duration
}

var (
	// OfLooks is for looking at an object: what trains tells its progress once a second, at most.
	OfLooks = Pace{Most: 20, Every: time.Second}
	// OfSteps is for the steps of a resize, which are many, and are not to wait.
	OfSteps = Pace{Most: 50, Every: time.Second / 5}
)

// Allowances count what was done for each object.
type Allowances struct {
	mu sync.Mutex
	// spent is by when all that was done would have been done at an even pace.
	spent map[types.NamespacedName]time.Time
	swept int // how many there were after the last sweep
}

// leastSwept is how many objects are remembered before those are forgotten that have rested.
const leastSwept = 64

// Spend is for doing something now. Where that is too often, nothing is spent, and it is how long to wait.
func (a *Allowances) Spend(of types.NamespacedName, p Pace, now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	spent := a.spent[of]
	if spent.Before(now) {
		spent = now
	}
	if wait := spent.Sub(now) - time.Duration(p.Most-1)*p.Every; wait > 0 {
		return wait
	}
	if a.spent == nil {
		a.spent = map[types.NamespacedName]time.Time{}
	}
	if a.spent[of] = spent.Add(p.Every); len(a.spent) > leastSwept+2*a.swept {
		maps.DeleteFunc(a.spent, func(_ types.NamespacedName, spent time.Time) bool { return !spent.After(now) })
		a.swept = len(a.spent)
	}
	return 0
}

// Paced looks at an object no more often than that.
func Paced(p Pace, now func() time.Time, r reconcile.Reconciler) reconcile.Reconciler {
	var looks Allowances
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		if wait := looks.Spend(request.NamespacedName, p, now()); wait > 0 {
			return reconcile.Result{RequeueAfter: wait}, nil
		}
		return r.Reconcile(ctx, request)
	})
}

// Calls are those for a plan that the changes of single objects make. One that comes too often is made later, once.
type Calls struct {
	Allowances
	After func(time.Duration, func()) // does something after a while

	owing sync.Mutex
	owed  map[types.NamespacedName]bool
}

// NewCalls are those of which none was made yet.
func NewCalls() *Calls {
	return &Calls{
		After: func(wait time.Duration, do func()) { time.AfterFunc(wait, do) },
		owed:  map[types.NamespacedName]bool{},
	}
}

// Call calls for a plan because of one object, now or as soon as its pace allows that.
func (c *Calls) Call(of types.NamespacedName, p Pace, now func() time.Time, kick func()) {
	wait := c.Spend(of, p, now())
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
	c.After(wait, func() {
		c.owing.Lock()
		delete(c.owed, of)
		c.owing.Unlock()
		c.Call(of, p, now, kick)
	})
}
