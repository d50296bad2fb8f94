package progress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// order is that in which sources are tried: first those that somebody has set up for Takt, then
// those that cost least.
var order = []v1alpha1.ProgressSource{
	v1alpha1.ProgressAgent,
	v1alpha1.ProgressAnnotation,
	v1alpha1.ProgressPrometheus,
	v1alpha1.ProgressLogs,
	v1alpha1.ProgressCustomMetrics,
}

const (
	// patience is how often in a row the source of a job may fail to answer before others are tried:
	// another source may count in another unit, so one hiccup must not change it.
	patience = 3
	// maxMemory is of how many jobs the source is remembered.
	maxMemory = 20_000
)

// Reader reads the progress of jobs from the first source that tells it. It may be used by many at
// a time.
type Reader struct {
	sources []Source

	mu     sync.Mutex
	memory map[types.NamespacedName]answered
}

// answered is the source by which a job last answered, and how often it has failed to since.
type answered struct {
	source   v1alpha1.ProgressSource
	failures int
}

// NewReader makes a reader of these sources, which are tried in the order Agent, Annotation,
// Prometheus, Logs, CustomMetrics.
func NewReader(sources ...Source) *Reader {
	sorted := slices.Clone(sources)
	slices.SortStableFunc(sorted, func(a, b Source) int {
		return cmp.Compare(slices.Index(order, a.Name()), slices.Index(order, b.Name()))
	})
	return &Reader{sources: sorted, memory: map[types.NamespacedName]answered{}}
}

// Read gives a valid sample, or an error that names the source and what is wrong with it.
//
// Where the ElasticJob names a source, only that one is read. Else the first is taken that does not
// fail with ErrNone, and asked first from then on. A source that does not answer is passed over; one
// that answers nonsense is not, since somebody has to mend it. It fails with ErrNone where no source
// tells anything.
func (r *Reader) Read(ctx context.Context, t Target, now time.Time) (Sample, error) {
	if t.Spec.Source != "" {
		for _, source := range r.sources {
			if source.Name() == t.Spec.Source {
				return r.try(ctx, source, t, now)
			}
		}
		return Sample{}, fail(ErrMissing, "progress is to be read from %s, which this operator does not read", t.Spec.Source)
	}
	key := types.NamespacedName{Namespace: t.Namespace, Name: t.Name}
	before, known := r.recall(key)
	if known && before.failures < patience {
		sample, err := r.first(ctx, t, now, func(name v1alpha1.ProgressSource) bool {
			// The annotation costs nothing, and who writes one wants it to be read.
			return name == before.source || name == v1alpha1.ProgressAnnotation && before.source != v1alpha1.ProgressAgent
		})
		switch {
		case err == nil:
			r.remember(key, answered{source: sample.Source})
			return sample, nil
		case passes(err):
			r.remember(key, answered{source: before.source, failures: before.failures + 1})
			return Sample{}, err
		case !errors.Is(err, ErrNone):
			return Sample{}, err
		}
	}
	sample, err := r.first(ctx, t, now, func(v1alpha1.ProgressSource) bool { return true })
	switch {
	case err == nil:
		r.remember(key, answered{source: sample.Source})
	case errors.Is(err, ErrNone):
		r.Forget(key)
	}
	return sample, err
}

// first is the first answer of the sources that are eligible.
func (r *Reader) first(ctx context.Context, t Target, now time.Time, eligible func(v1alpha1.ProgressSource) bool) (Sample, error) {
	const none = "the job does not tell its progress: write it to the annotation " + ProgressAnnotation + ", or say in spec.progress where to read it"
	result := fail(ErrNone, none)
	for _, source := range r.sources {
		if !eligible(source.Name()) {
			continue
		}
		sample, err := r.try(ctx, source, t, now)
		switch {
		case err == nil:
			return sample, nil
		case ctx.Err() != nil:
			return Sample{}, err
		case errors.Is(err, ErrNone):
		case !passes(err):
			return Sample{}, err
		case errors.Is(result, ErrNone):
			result = err
			if source.Name() == v1alpha1.ProgressLogs { // which every job has, whether it tells anything or not
				result = &fault{kind: ErrUnreachable, message: none, cause: err}
			}
		}
	}
	return Sample{}, result
}

// try reads one source.
func (r *Reader) try(ctx context.Context, source Source, t Target, now time.Time) (Sample, error) {
	sample, err := source.Read(ctx, t)
	if err == nil {
		sample.Source = source.Name()
		if sample.At.IsZero() {
			sample.At = now
		}
		var saved time.Time
		if saved, err = savedAt(t.Annotations); err == nil {
			if saved.After(sample.SavedAt) {
				sample.SavedAt = saved
			}
			err = check(sample, now)
		}
	}
	if err != nil {
		return Sample{}, fmt.Errorf("progress from %s: %w", source.Name(), err)
	}
	return sample, nil
}

// Forget drops what is remembered of a job: call it when the job is gone.
func (r *Reader) Forget(key types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.memory, key)
}

func (r *Reader) recall(key types.NamespacedName) (answered, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.memory[key]
	return a, ok
}

func (r *Reader) remember(key types.NamespacedName, a answered) {
	r.mu.Lock()
	defer r.mu.Unlock()
	keep(r.memory, key, a)
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
