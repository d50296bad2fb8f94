package hearing

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/operator/progress"
)

const (
	// atOnce is how many agents are asked at a time, and ofOne how many of one namespace: those of others do not wait for
	// pods that never answer.
	atOnce = 64
	ofOne  = 16
	// every is how long what an agent has said is taken for what it would say.
	every = 250 * time.Millisecond
	// within is how long one may take to answer.
	within = 2 * time.Second
	// kept is how long it is remembered what an agent has said of which nobody wants to know any more.
	kept = 5 * time.Minute
)

// Word is what an agent has said last.
type Word struct {
	progress.Word
	// At is when it began to be asked for that; zero if it has not said anything.
	At time.Time
	// ReadAt is when it began to be asked when it first said that it had read the last request for a checkpoint that it
	// has read; when it was first asked, if it has not said anything.
	ReadAt time.Time
}

// UnreadAt is until when an agent had not read what it has still not read, as far as anybody knows.
func (w Word) UnreadAt() time.Time {
	if w.At.IsZero() {
		return w.ReadAt
	}
	return w.At
}

// Agents are asked what they say, and remembered. They may be used by many at a time.
type Agents struct {
	// Ask asks the agent of a pod.
	Ask func(context.Context, *corev1.Pod) (progress.Word, error)
	Now func() time.Time

	mu    sync.Mutex
	of    map[types.UID]*heard
	busy  int
	ofOne map[string]int // how many are being asked, by their namespace
}

// heard is what is known of one agent.
type heard struct {
	word    Word
	askedAt time.Time
	asking  bool
}

// Of is what the agent of a pod has said last. Unless it has said that just now it is asked again, and again is called
// once it has answered.
func (a *Agents) Of(ctx context.Context, pod *corev1.Pod, again func()) Word {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.Now()
	if a.of == nil {
		a.of, a.ofOne = map[types.UID]*heard{}, map[string]int{}
	}
	h := a.of[pod.UID]
	if h == nil {
		a.forget(now)
		h = &heard{word: Word{ReadAt: now}}
		a.of[pod.UID] = h
	}
	if h.asking || now.Sub(h.askedAt) < every || a.busy >= atOnce || a.ofOne[pod.Namespace] >= ofOne {
		return h.word
	}
	h.asking, h.askedAt = true, now
	a.busy++
	a.ofOne[pod.Namespace]++
	go a.ask(ctx, h, pod, now, again)
	return h.word
}

// Last is what the agent of a pod has said last, without asking it.
func (a *Agents) Last(pod *corev1.Pod) Word {
	a.mu.Lock()
	defer a.mu.Unlock()
	if h := a.of[pod.UID]; h != nil {
		return h.word
	}
	return Word{}
}

// ask asks an agent, and keeps what it says.
func (a *Agents) ask(ctx context.Context, h *heard, pod *corev1.Pod, now time.Time, again func()) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	word, err := a.Ask(ctx, pod)
	a.mu.Lock()
	h.asking = false
	if err == nil {
		readAt := h.word.ReadAt
		if h.word.At.IsZero() || word.Read != h.word.Read {
			readAt = now
		}
		h.word = Word{Word: word, At: now, ReadAt: readAt}
	}
	a.busy--
	if a.ofOne[pod.Namespace]--; a.ofOne[pod.Namespace] <= 0 {
		delete(a.ofOne, pod.Namespace)
	}
	a.mu.Unlock()
	if err == nil {
		again()
	}
}

// forget drops what nobody wants to know any more.
func (a *Agents) forget(now time.Time) {
	for uid, h := range a.of {
		if !h.asking && now.Sub(h.askedAt) > kept {
			delete(a.of, uid)
		}
	}
}
