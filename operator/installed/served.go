package installed

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
)

// lookForKinds is how often is looked for kinds of jobs that are not installed.
const lookForKinds = 10 * time.Second

// Kinds are the kinds of training jobs that the cluster serves. One that is not installed is waited
// for, and costs nothing but its jobs.
type Kinds struct {
	mapper meta.RESTMapper
	// appear begins to watch a kind, and appeared is told of it once its jobs are looked after.
	appear   func(context.Context, kind.Kind) error
	appeared func()
	log      logr.Logger

	mu     sync.RWMutex
	served map[string]served
	looked chan struct{}
}

// served is a kind that the cluster serves, and its jobs as APIs name them.
type served struct {
	kind     kind.Kind
	resource schema.GroupResource
}

// NewKinds knows of no kind yet. It calls appear for each that the cluster serves, and then appeared.
func NewKinds(mapper meta.RESTMapper, appear func(context.Context, kind.Kind) error, appeared func(),
	log logr.Logger) *Kinds {
	return &Kinds{mapper: mapper, appear: appear, appeared: appeared, log: log, served: map[string]served{},
		looked: make(chan struct{})}
}

// AllServed are all kinds, for whoever knows that they are served.
func AllServed() *Kinds {
	k := NewKinds(nil, nil, nil, logr.Discard())
	for _, each := range known.Kinds() {
		resource, _ := meta.UnsafeGuessKindToResource(each.GroupVersionKind())
		k.served[each.GroupVersionKind().Kind] = served{each, resource.GroupResource()}
	}
	close(k.looked)
	return k
}

// ErrNotLooked says that it is not known yet which kinds are there: the process has just started.
var ErrNotLooked = errors.New("it is not known yet which kinds of jobs are installed")

// LookedFor is closed once it is known which kinds are there.
func (k *Kinds) LookedFor() <-chan struct{} { return k.looked }

// Known fails with errNotLooked at the very beginning.
func (k *Kinds) Known() error {
	select {
	case <-k.looked:
		return nil
	default:
		return ErrNotLooked
	}
}

// Get is a kind by name, if it is served.
func (k *Kinds) Get(name string) (kind.Kind, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	found, ok := k.served[name]
	return found.kind, ok
}

// ResourceOf is a kind of job as APIs name it; empty of one that is not served.
func (k *Kinds) ResourceOf(of kind.Kind) schema.GroupResource {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.served[of.GroupVersionKind().Kind].resource
}

// Start looks for kinds until all are there. It makes kinds a manager's runnable.
func (k *Kinds) Start(ctx context.Context) error {
	again := time.NewTimer(lookForKinds)
	defer again.Stop()
	for told := false; ; {
		missing, unclear := k.look(ctx)
		// What nobody can tell yet is not called missing: jobs would be let go of, and what they were
		// promised with them.
		if !told && !unclear {
			told = true
			close(k.looked)
			if len(missing) > 0 {
				k.log.Info("Some kinds of jobs are not installed: their jobs are looked after once they are", "kinds", missing)
			}
		}
		if len(missing) == 0 && !unclear {
			return nil
		}
		if !told {
			again.Reset(time.Second)
		} else {
			again.Reset(lookForKinds)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-again.C:
		}
	}
}

// look looks for those that are not served yet: some are missing, and of some it may be unclear.
func (k *Kinds) look(ctx context.Context) (missing []string, unclear bool) {
	for _, each := range known.Kinds() {
		gvk := each.GroupVersionKind()
		if _, ok := k.Get(gvk.Kind); ok {
			continue
		}
		mapping, err := k.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err != nil {
			if meta.IsNoMatchError(err) {
				missing = append(missing, gvk.Kind)
				continue
			}
			k.log.Error(err, "Cannot find out whether a kind of job is installed", "kind", gvk.Kind)
			unclear = true
			continue
		}
		if err := k.appear(ctx, each); err != nil {
			k.log.Error(err, "Cannot watch a kind of job", "kind", gvk.Kind)
			unclear = true
			continue
		}
		k.mu.Lock()
		k.served[gvk.Kind] = served{each, mapping.Resource.GroupResource()}
		k.mu.Unlock()
		k.appeared()
	}
	return missing, unclear
}
