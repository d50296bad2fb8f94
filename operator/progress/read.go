package progress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// order is that in which sources are tried: first those that somebody has set up for Takt, then
// those that cost least.
var order = [...]v1alpha1.ProgressSource{
	v1alpha1.ProgressAgent,
	v1alpha1.ProgressAnnotation,
	v1alpha1.ProgressPrometheus,
	v1alpha1.ProgressLogs,
	v1alpha1.ProgressCustomMetrics,
}

// maxMemory is of how many jobs it is remembered what their sources have told.
const maxMemory = 20_000

// Reader reads the progress of jobs from the source that tells it best. It may be used by many at a
// time.
type Reader struct {
	sources []Source
	every   time.Duration // the usual time between two readings of a job

	mu     sync.Mutex
	memory map[types.NamespacedName]*history
}

// NewReader makes a reader of these sources, which are tried in the order Agent, Annotation,
// Prometheus, Logs, CustomMetrics, for jobs that are usually read so often. It fails for a source that has no place in
// that order.
func NewReader(every time.Duration, sources ...Source) (*Reader, error) {
	for _, s := range sources {
		if place(s.Name()) < 0 {
			return nil, fmt.Errorf("nobody knows when to try %s: name it in the order in which sources of progress "+
				"are tried", s.Name())
		}
	}
	sorted := slices.Clone(sources)
	slices.SortStableFunc(sorted, func(a, b Source) int {
		return cmp.Compare(place(a.Name()), place(b.Name()))
	})
	return &Reader{sources: sorted, every: every, memory: map[types.NamespacedName]*history{}}, nil
}

// place is where a source comes in the order; -1 if it has no place there.
func place(source v1alpha1.ProgressSource) int { return slices.Index(order[:], source) }

// precedes says whether a source comes before another in the order.
func precedes(a, b v1alpha1.ProgressSource) bool {
	return place(a) < place(b)
}

// Read gives a valid sample, or an error that names the source and what is wrong with it.
//
// Where the ElasticJob names a source, only that one is read. Else the first is taken that tells
// anything, and stays as long as it advances: one that advances several times while the current one does
// not takes its place, and so does one that comes earlier in the order and begins to advance or goes on, or an
// annotation that somebody keeps up to date. An annotation that never advances says how much there is to do; its
// counter is believed only where nothing else tells.
// It reads the worker that speaks for the training: the first, until another is found to.
// A source that does not answer is passed over; one that answers nonsense is not, since somebody has to
// mend it. It fails with ErrNone where no source tells anything.
func (r *Reader) Read(ctx context.Context, t Target, now time.Time) (Sample, error) {
	h := r.recall(t)
	h.mu.Lock()
	defer h.mu.Unlock()
	defer r.isRead(r.heard(t.Pods)) // and not those that are heard only while this goes on
	h.speaker.meet(t.Pods, now)
	this := r.begin(t, h, now)
	sample, err := this.one(ctx)
	if this.hear(ctx, sample, err) {
		this = r.begin(t, h, now)
		sample, err = this.one(ctx)
	}
	if err == nil {
		sample.SavedAt = this.lastSaved(ctx, t.Pods, sample)
	}
	return sample, err
}

// begin is a reading of the worker that speaks for the training. The agent of one that has ended is gone: what that
// would tell it has read from the output, which is still there.
func (r *Reader) begin(t Target, h *history, now time.Time) *reading {
	t.Pods, t.Now = h.speaker.first(t.Pods), now
	if t.Spec.Source == v1alpha1.ProgressAgent && over(t) {
		t.Spec.Source = v1alpha1.ProgressLogs
	}
	h.meet(t, now)
	return &reading{Reader: r, t: t, now: now, h: h, answers: map[v1alpha1.ProgressSource]answer{}}
}

// one takes a reading of one worker.
func (r *reading) one(ctx context.Context) (Sample, error) {
	if named := r.t.Spec.Source; named != "" {
		for _, source := range r.sources {
			if source.Name() == named {
				sample, err := r.ask(ctx, source, false)
				if err == nil {
					sample.Beside = r.beside(sample)
				}
				return sample, err
			}
		}
		return Sample{}, fail(ErrMissing, "progress is to be read from %s, which this operator does not read", named)
	}
	r.t.Work = workOf(r.t)
	if r.h.settled() {
		if sample, err := r.stay(ctx); !errors.Is(err, ErrNone) {
			return sample, err
		}
	}
	return r.choose(ctx)
}

// Answers says that one of these pods answers again that was silent together with others, and is to be read at once.
func (r *Reader) Answers(pods []*corev1.Pod) bool {
	return slices.ContainsFunc(r.sources, func(s Source) bool {
		listens, is := s.(Listener)
		return is && slices.ContainsFunc(pods, listens.Answers)
	})
}

// heard are those of some pods that answer again.
func (r *Reader) heard(pods []*corev1.Pod) (some []*corev1.Pod) {
	for i := range pods {
		if r.Answers(pods[i : i+1]) {
			some = append(some, pods[i])
		}
	}
	return some
}

// isRead takes that pods were read.
func (r *Reader) isRead(pods []*corev1.Pod) {
	if len(pods) == 0 {
		return
	}
	for _, s := range r.sources {
		if listens, is := s.(Listener); is {
			listens.IsRead(pods)
		}
	}
}

// Forget drops what is remembered of a job: call it when the job is gone.
func (r *Reader) Forget(key types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.memory, key)
}

// recall gives the history of a job, which begins here where there is none.
func (r *Reader) recall(t Target) *history {
	key := types.NamespacedName{Namespace: t.Namespace, Name: t.Name}
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.memory[key]
	if h == nil || h.job != t.UID {
		last := t.Last
		if !slices.ContainsFunc(r.sources, func(s Source) bool { return s.Name() == last }) {
			last = ""
		}
		h = newHistory(t.UID, last)
		if last != "" {
			h.record(last).proven = t.Counts
		}
		keep(r.memory, key, h)
	}
	return h
}

// keep puts a value into a memory that is bounded. Where it is full, any other goes: what is
// remembered only saves work or makes a reading better.
func keep[K comparable, V any](memory map[K]V, key K, value V) {
	if _, ok := memory[key]; !ok && len(memory) >= maxMemory {
		for other := range memory {
			delete(memory, other)
			break
		}
	}
	memory[key] = value
}
