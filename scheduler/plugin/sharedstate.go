package plugin

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/order"
	"github.com/takt-dev/takt/scheduler/settings"
)

// sharedState is what all profiles have in common: there is one queue, and one set of nodes.
type sharedState struct {
	settings settings.Settings
	urgency  order.Order
	clock    func() time.Time
	handle   fwk.Handle // of any profile
	reports  *reporter
	bindings chan struct{} // holds an entry for each member that is being bound
	listed   func() bool   // the book knows all pods that were there at the start
	ready    atomic.Bool   // the gate knows that
	// unread is why Resizes cannot be read at present; empty if they can.
	unread atomic.Value

	mu       sync.Mutex // never held while the framework is called: it calls us with its own locks held
	book     *gang.Book
	pods     map[gang.UID]*corev1.Pod // those without a node
	wake     map[gang.UID]bool
	leavers  map[gang.UID]leaver    // what they leave is kept for their jobs
	keptFrom bool                   // it was in the way of others
	buried   map[gang.UID]time.Time // pods that have gone: the scheduler's own handlers may tell of them later
	rejects  []gang.UID             // pods that did not wait yet when they were to be rejected
	freed    bool                   // wake all
	room     map[gang.UID]bool      // speakers for whom room may have been made
	roomNews time.Time              // when the first of them heard of it
	rested   time.Time              // until then is left for everything else, after trials in vain
	woken    chan struct{}
	profiles sets.Set[string]
}

// with does something with the book, and then what follows from it.
func (h *sharedState) with(do func(b *gang.Book, now time.Time)) {
	h.mu.Lock()
	do(h.book, time.Now())
	effects := h.book.Take()
	for _, uid := range effects.Wake {
		h.wake[uid] = true
	}
	freed := h.forgetLeavers() || effects.Freed
	h.freed = h.freed || freed
	h.mu.Unlock()
	if len(effects.Wake) > 0 || freed {
		h.nudge()
	}
	for _, p := range effects.Placed {
		h.placed(p)
	}
	for _, uid := range effects.Unknown {
		h.missed(uid)
	}
	for _, uid := range effects.Forget {
		h.handle.DeleteNominatedPodIfExists(&corev1.Pod{ObjectMeta: ofUID(uid)})
	}
	if missed := h.reject(effects.Reject, effects.Why); len(missed) > 0 {
		h.mu.Lock()
		h.rejects = append(h.rejects, missed...)
		h.mu.Unlock()
	}
	if len(effects.Reject) > 0 {
		released.Inc()
		klog.V(2).InfoS("A gang lets go of its nodes", "pods", len(effects.Reject), "why", effects.Why)
	}
}

// reject has pods that wait let go of their nodes. Missed are those that do not wait: they are just about to,
// or have let go already.
func (h *sharedState) reject(pods []gang.UID, why string) (missed []gang.UID) {
	for _, uid := range pods {
		if waiting := h.handle.GetWaitingPod(types.UID(uid)); waiting != nil {
			waiting.Reject(settings.Plugin, "the gang lets go of its nodes: "+why)
		} else {
			missed = append(missed, uid)
		}
	}
	return missed
}

// remember is how long a pod that has gone is not believed in any more.
const remember = 5 * time.Minute

// tick does what is due.
func (h *sharedState) tick() {
	h.mu.Lock()
	again := h.rejects
	h.rejects = nil
	maps.DeleteFunc(h.buried, func(_ gang.UID, gone time.Time) bool { return time.Since(gone) > remember })
	h.mu.Unlock()
	h.reject(again, "its plan does not stand any more")
	h.with((*gang.Book).Tick)
	if !h.ready.Load() && h.listed() {
		h.ready.Store(true)
		h.mu.Lock()
		h.freed = true
		h.mu.Unlock()
	}
}

// nudge has the pods that are awake brought into the queue.
func (h *sharedState) nudge() {
	select {
	case h.woken <- struct{}{}:
	default:
	}
}

// attend brings pods into the queue, and looks at the clock.
func (h *sharedState) attend(ctx context.Context) {
	clock := time.NewTicker(50 * time.Millisecond)
	defer clock.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-clock.C:
			h.tick()
		case <-h.woken:
		}
		h.activate(ctx)
	}
}

// After trials in vain of gangs that Resizes speak for, so many times as long is left for everything else, but at most
// so long. A gang that none speaks for is left as long by itself, and takes none of their time from the others. The
// speakers hear of room one after the other, as a rule within a moment.
const (
	share    = 4
	mostLeft = 10 * time.Second
	moment   = 5 * time.Millisecond
)

// speakersToWake are the speakers to be woken because room was made: all at once, so that the most urgent is first;
// and not so often that the scheduler does little else than to try in vain.
func (h *sharedState) speakersToWake(now time.Time) []gang.UID {
	if len(h.room) == 0 || now.Before(h.roomNews.Add(moment)) || now.Before(h.rested) {
		return nil
	}
	all := slices.Collect(maps.Keys(h.room))
	clear(h.room)
	return all
}

// inVain notes a trial that has found no room, for the gang that a pod speaks for.
func (h *sharedState) inVain(speaker gang.UID, began, ended time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.book.InVain(speaker, min(share*ended.Sub(began), mostLeft), ended)
	if !h.book.Vouched(speaker) {
		return
	}
	if began.After(h.rested) {
		h.rested = began
	}
	h.rested = h.rested.Add((1 + share) * ended.Sub(began))
	if most := ended.Add(mostLeft); h.rested.After(most) {
		h.rested = most
	}
}

// activate brings the pods that are awake into the queue. It takes the lock of the queue, so nobody may
// wait for it who holds that.
func (h *sharedState) activate(ctx context.Context) {
	pods := map[string]*corev1.Pod{}
	h.mu.Lock()
	for _, uid := range h.speakersToWake(time.Now()) {
		h.wake[uid] = true
	}
	for uid := range h.wake {
		if pod := h.pods[uid]; pod != nil {
			pods[pod.Namespace+"/"+pod.Name] = pod
		}
	}
	clear(h.wake)
	freed, profiles := h.freed, h.profiles.Clone()
	h.freed = false
	h.mu.Unlock()
	if freed {
		for _, pod := range h.waiting(profiles) {
			pods[pod.Namespace+"/"+pod.Name] = pod
		}
	}
	if len(pods) > 0 {
		h.handle.Activate(klog.FromContext(ctx), pods)
	}
}

// waiting are all pods of the scheduler that have no node.
func (h *sharedState) waiting(profiles sets.Set[string]) []*corev1.Pod {
	all, err := h.handle.SharedInformerFactory().Core().V1().Pods().Lister().List(labels.Everything())
	if err != nil {
		klog.ErrorS(err, "Cannot tell those that wait of room; they are tried again in some minutes")
	}
	return slices.DeleteFunc(all, func(pod *corev1.Pod) bool {
		return pod.Spec.NodeName != "" || !profiles.Has(pod.Spec.SchedulerName)
	})
}
