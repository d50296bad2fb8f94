package planning_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
)

// planningOf runs a planner from now on, and gives when its plans are made, counted from now. A plan fails for
// as long as the nodes cannot be read.
func planningOf(t *testing.T, o *rooms.Rooms) (plans func() []time.Duration) {
	t.Helper()
	began := time.Now()
	o.Now = time.Now
	var mu sync.Mutex
	var made []time.Duration
	o.Planner.Decide = func(s elastic.Snapshot) elastic.Decision {
		mu.Lock()
		defer mu.Unlock()
		made = append(made, time.Since(began))
		return elastic.Plan(s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.Planner.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return func() []time.Duration {
		synctest.Wait() // nothing is under way
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(made)
	}
}

// What happens within a moment is planned for once, when the moment is over. News that does not end puts no plan
// off, and where nothing happens plans are made all the same, each after twice as long.
func TestWhatHappensWithinAMomentIsPlannedForOnce(t *testing.T) {
	const ms = time.Millisecond
	settle := 500 * ms
	for name, c := range map[string]struct {
		every time.Duration
		kicks []time.Duration
		until time.Duration
		want  []time.Duration
	}{
		"nothing happens": {every: 10 * time.Second, until: 71 * time.Second,
			want: []time.Duration{0, 10 * time.Second, 30 * time.Second, 70 * time.Second}},
		"three within a moment": {every: time.Hour, kicks: []time.Duration{1000 * ms, 1200 * ms, 1499 * ms},
			until: time.Minute, want: []time.Duration{0, 1500 * ms}},
		"one more after it": {every: time.Hour, kicks: []time.Duration{1000 * ms, 1200 * ms, 1600 * ms},
			until: time.Minute, want: []time.Duration{0, 1500 * ms, 2100 * ms}},
		"news without end": {
			every: time.Hour, kicks: []time.Duration{1000 * ms, 1300 * ms, 1600 * ms, 1900 * ms, 2200 * ms}, until: 2750 * ms,
			want: []time.Duration{0, 1500 * ms, 2100 * ms, 2700 * ms},
		},
		"what happens puts the next round off": {
			every: 10 * time.Second, kicks: []time.Duration{9 * time.Second}, until: 20 * time.Second,
			want: []time.Duration{0, 9*time.Second + settle, 19*time.Second + settle},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"))
				o.Settings.Planning.Settle.Duration, o.Settings.Planning.Every.Duration = settle, c.every
				o.Furnish()
				began := time.Now()
				plans := planningOf(t, o)
				plans()
				for _, at := range c.kicks {
					<-time.After(at - time.Since(began)) // of the clock of this bubble
					o.Planner.Kick()
					plans()
				}
				<-time.After(c.until - time.Since(began))
				if made := plans(); !slices.Equal(made, c.want) {
					t.Errorf("plans are made at %v, want %v", made, c.want)
				}
			})
		})
	}
}

// A plan that could not be made is tried again a second later, and not only in the next round.
func TestAPlanThatFailsIsTriedAgainSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := 3
		o := fixture.Stopped(t, interceptor.Funcs{
			List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, options ...client.ListOption) error {
				if _, nodes := list.(*corev1.NodeList); nodes && fails > 0 {
					fails--
					return errors.New("no answer")
				}
				return c.List(ctx, list, options...)
			},
		}, fixture.Node("node", "8"))
		o.Settings.Planning.Every.Duration = time.Hour
		o.Furnish()
		plans := planningOf(t, o)
		plans()
		<-time.After(time.Minute) // of the clock of this bubble
		if made, want := plans(), []time.Duration{3 * time.Second}; !slices.Equal(made, want) {
			t.Errorf("plans are made at %v, want %v", made, want)
		}
	})
}
