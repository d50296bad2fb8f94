package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/gang"
)

// reporter writes to the status of Resizes what was found for them. It never makes anyone wait: what is
// newer replaces what has not been written.
type reporter struct {
	client rest.Interface
	every  time.Duration

	mu     sync.Mutex
	news   map[gang.Change]answer
	told   map[gang.Change]answer
	nudged chan struct{}
}

// answer is what was found.
type answer struct {
	fits    int
	message string
	at      time.Time
	failed  int  // writes, so far
	last    bool // of a Resize that is over
}

func newReporter(client rest.Interface, every time.Duration) *reporter {
	return &reporter{client: client, every: every, news: map[gang.Change]answer{}, told: map[gang.Change]answer{},
		nudged: make(chan struct{}, 1)}
}

const (
	// soon is how often another number of pods that fit is told at most.
	soon = time.Second
	// enough is how often it is tried to tell the last word about a Resize that is over.
	enough = 3
)

// tell has something written: soon if another number of pods fits than was told, else not too often.
func (r *reporter) tell(c gang.Change, fits int, message string) {
	const longest = 1024
	if len(message) > longest {
		message = strings.ToValidUTF8(message[:longest-1], "") + "."
	}
	r.mu.Lock()
	r.news[c] = answer{fits: fits, message: message, at: time.Now()}
	r.mu.Unlock()
	r.nudge()
}

func (r *reporter) nudge() {
	select {
	case r.nudged <- struct{}{}:
	default:
	}
}

// finish has the last word about a Resize that is over told at once, if it has not been told.
func (r *reporter) finish(c gang.Change) {
	r.mu.Lock()
	news, is := r.news[c]
	if is {
		news.last = true
		r.news[c] = news
	} else {
		delete(r.told, c)
	}
	r.mu.Unlock()
	if is {
		r.nudge()
	}
}

// forget a Resize that is gone.
func (r *reporter) forget(c gang.Change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.news, c)
	delete(r.told, c)
}

// run writes until the context ends.
func (r *reporter) run(ctx context.Context) {
	clock := time.NewTicker(time.Second)
	defer clock.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-clock.C:
		case <-r.nudged:
		}
		for _, c := range r.due(time.Now()) {
			r.write(ctx, c)
		}
	}
}

// due are those that may be told now.
func (r *reporter) due(now time.Time) []gang.Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []gang.Change
	for _, c := range slices.SortedFunc(maps.Keys(r.news), func(a, b gang.Change) int {
		return strings.Compare(a.Namespace+"/"+a.Name(), b.Namespace+"/"+b.Name())
	}) {
		last, told := r.told[c]
		wait := r.every
		switch {
		case last.failed > 0:
		case r.news[c].last:
			wait = 0
		case last.fits != r.news[c].fits:
			wait = soon
		}
		if !told || !now.Before(last.at.Add(wait)) {
			all = append(all, c)
		}
	}
	return all
}

// write tells the status of one Resize. If that fails it is tried again some time later, for as long as it
// is still the newest, and some times at most once the Resize is over; one that is gone has nobody to be told.
func (r *reporter) write(ctx context.Context, c gang.Change) {
	r.mu.Lock()
	news, is := r.news[c]
	r.mu.Unlock()
	if !is {
		return // it is gone meanwhile
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"placement": v1alpha1.PlacementStatus{
		Fits: int32(news.fits), Message: news.message, ObservedAt: v1alpha1.NewTime(news.at),
	}}})
	if err != nil {
		klog.ErrorS(err, "Cannot write down what was found", "resize", c.Name())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	err = r.client.Patch(types.MergePatchType).Namespace(c.Namespace).Resource(resizes).Name(c.Name()).
		SubResource("status").Body(patch).Do(ctx).Error()
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, still := r.news[c]; !still {
		return
	}
	done := news
	done.at = time.Now()
	switch {
	case err == nil:
		reports.WithLabelValues(reportWritten).Inc()
	case apierrors.IsNotFound(err):
		reports.WithLabelValues(reportGone).Inc()
		delete(r.news, c)
		delete(r.told, c)
		return
	default:
		reports.WithLabelValues(reportFailed).Inc()
		klog.ErrorS(fmt.Errorf("telling Resize %s what fits: %w", c.Name(), err), "It is tried again", "namespace",
			c.Namespace)
		done.failed = r.told[c].failed + 1
		done.fits = r.told[c].fits
		r.told[c] = done
		if r.news[c].last && done.failed >= enough {
			delete(r.news, c)
			delete(r.told, c)
		}
		return
	}
	r.told[c] = done
	if r.news[c].at.Equal(news.at) {
		delete(r.news, c)
	}
}
