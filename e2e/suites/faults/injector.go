package faults

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/takt-dev/takt/operator"
	"github.com/takt-dev/takt/operator/settings"
)

// Injector runs an operator, and has faults happen to it.
type Injector struct {
	// Refuse decides what becomes of a write. It is called one write at a time; nil lets all pass.
	Refuse func(w Write, chance *rand.Rand) Answer
	// Lag is by how many of the operator's writes its cache is behind.
	Lag int
	// Miss, Repeat and Shuffle are the shares of events that are not told of, told of twice, and told
	// of late and so out of order.
	Miss, Repeat, Shuffle float64

	mu       sync.Mutex
	chance   *rand.Rand
	off      bool // no faults any more
	writes   []Write
	injected int
	dead     bool
	kill     func()
	crashes  int
}

// New is an injector without any fault as yet.
func New(seed uint64) *Injector {
	return &Injector{chance: rand.New(rand.NewPCG(seed, 0))}
}

// Start runs the operator until the context ends, and a fresh one each time that its process has
// died. It is a world.Start.
func (i *Injector) Start(ctx context.Context, config *rest.Config, s settings.Settings) error {
	for {
		living, die := context.WithCancel(ctx)
		i.mu.Lock()
		i.dead, i.kill = false, die
		i.mu.Unlock()
		err := i.run(living, config, s)
		die()
		if ctx.Err() != nil || !i.died() {
			return err
		}
	}
}

func (i *Injector) run(ctx context.Context, config *rest.Config, s settings.Settings) error {
	o, err := operator.New(ctx, config, s, logr.FromContextOrDiscard(ctx), func(o *manager.Options) {
		o.NewClient = i.newClient
		o.Cache.NewInformer = i.newInformer
	})
	if err != nil {
		return err
	}
	return o.Run(ctx)
}

var errDead = errors.New("the process of this operator has died")

func (i *Injector) died() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.dead
}

// StopFaults has no more faults happen from now on.
func (i *Injector) StopFaults() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.off = true
}

// Injected is how many faults have happened.
func (i *Injector) Injected() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.injected
}

// Crashes is how often the process has died.
func (i *Injector) Crashes() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.crashes
}

// Writes are those that the operator has tried so far, without leases and events.
func (i *Injector) Writes() []Write {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]Write(nil), i.writes...)
}

// befalls draws whether a fault of this share happens now.
func (i *Injector) befalls(share float64) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.off || share <= 0 || i.chance.Float64() >= share {
		return false
	}
	i.injected++
	return true
}
