package progress

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// reading is one reading of one job.
type reading struct {
	*Reader
	t       Target
	now     time.Time
	h       *history
	answers map[v1alpha1.ProgressSource]answer // of this reading: no source is asked twice
}

type answer struct {
	sample Sample
	err    error
}

// stay reads the current source, and watches others where there is a reason to: those that come before it
// in the order, now and then, as somebody may have set them up since; all of them while the current one is silent.
func (r *reading) stay(ctx context.Context) (Sample, error) {
	current := r.h.current
	quiet := r.h.record(current).quiet(r.now, r.every)
	for _, source := range r.sources {
		name := source.Name()
		if name != current && (name != v1alpha1.ProgressAnnotation || !precedes(name, current)) {
			continue
		}
		_, err := r.ask(ctx, source, quiet)
		switch {
		case err == nil:
		case name == current && (passes(err) || name == v1alpha1.ProgressAgent):
			r.h.failures++
			return Sample{}, err
		case name == current || !Passes(err):
			return Sample{}, err
		}
	}
	r.h.failures = 0
	quiet = r.h.record(current).quiet(r.now, r.every)
	r.watch(ctx, func(name v1alpha1.ProgressSource) bool {
		return quiet || precedes(name, current)
	})
	for _, source := range r.sources {
		name := source.Name()
		other, asked := r.answers[name]
		if asked && other.err == nil && name != current && r.h.outrun(name, r.now, r.every) {
			return r.taken(other.sample), nil
		}
	}
	return r.taken(r.answers[current].sample), nil
}

// watch asks other sources, to see whether one advances. It asks less and less often those that do not; one that tells
// something for the first time is asked again at once.
func (r *reading) watch(ctx context.Context, which func(v1alpha1.ProgressSource) bool) {
	for i, source := range r.sources {
		moved, new := 0, true
		of := r.h.known(source.Name())
		if _, asked := r.answers[source.Name()]; asked || !which(source.Name()) || of != nil && of.rests(r.now) {
			continue
		}
		if of != nil {
			moved, new = of.moved, !of.seen
		}
		_, err := r.ask(ctx, source, i < len(r.sources)-1)
		of = r.h.known(source.Name())
		switch {
		case of == nil, errors.Is(err, ErrTimeout):
		case err == nil && new:
			of.rise()
		case of.moved == moved:
			of.rest(r.now, r.every, mostVain)
		}
	}
}

// choose takes the first source that tells anything; last of all the counter of an annotation that nobody has seen to
// advance, and not in the place of another source. It asks less and less often those that tell nothing; but for the
// current one, which is to be read again as soon as it answers. The agent is Takt's own: what is the matter with it
// must not hide what others tell.
func (r *reading) choose(ctx context.Context) (Sample, error) {
	const where = "to the annotation " + ProgressAnnotation + ", or say in spec.progress where to read it"
	result := fail(ErrNowhere, "the job does not tell its progress: write it "+where)
	var noted *Sample
	for i, source := range r.sources {
		if noted != nil && ctx.Err() != nil {
			break
		}
		sample, err := r.ask(ctx, source, i < len(r.sources)-1)
		inVain := err != nil && !r.lacks(err)
		if inVain && ctx.Err() == nil && source.Name() != v1alpha1.ProgressAnnotation && source.Name() != r.h.current {
			r.h.record(source.Name()).askedInVain(err, r.now, r.every)
		}
		switch {
		case err == nil && !sample.Beforehand:
			return r.taken(sample), nil
		case err == nil && (r.h.current == "" || r.h.current == sample.Source):
			noted = &sample
		case err == nil && errors.Is(result, ErrNone):
			result = fail(ErrNone,
				"nothing tells how far the job is: the annotation %s has not advanced since it was first read", ProgressAnnotation)
		case errors.Is(err, ErrUnsure) && noted == nil && errors.Is(result, ErrNone):
			result = err
		case err == nil || noted != nil || errors.Is(err, ErrNone) && ctx.Err() == nil:
		case ctx.Err() != nil || !passes(err) && source.Name() != v1alpha1.ProgressAgent:
			return Sample{}, err
		case errors.Is(result, ErrNone):
			result = err
			if source.Name() == v1alpha1.ProgressLogs { // which every job has, whether it tells anything or not
				result = fmt.Errorf("%w. Write the progress "+where, errors.Unwrap(err))
			}
		}
	}
	if noted != nil {
		return r.taken(*noted), nil
	}
	return Sample{}, result
}

// taken is a sample whose source is the current one from now on, as it is told.
func (r *reading) taken(s Sample) Sample {
	r.h.take(s.Source, r.now, r.every)
	s.Beside = r.beside(s)
	if s.Source != v1alpha1.ProgressAnnotation {
		s = r.t.Work.of(s)
	}
	return s
}

// ask reads one source, unless it rests: none does of a worker that has ended, as what is read then is its last word.
// Where others are to be asked after it, it has half of the time that is left.
func (r *reading) ask(ctx context.Context, source Source, others bool) (Sample, error) {
	name := source.Name()
	if before, asked := r.answers[name]; asked {
		return before.sample, before.err
	}
	if of := r.h.known(name); of != nil && of.err != nil && of.rests(r.now) && !r.answersAgain(source) && !over(r.t) {
		return Sample{}, of.err
	}
	if end, ok := ctx.Deadline(); ok && others {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	sample, err := r.try(ctx, source)
	if r.lacks(err) {
		if of := r.h.known(name); of != nil && of.err != nil {
			of.rise()
		}
		return sample, err
	}
	of := r.h.record(name)
	switch {
	case errors.Is(err, ErrTimeout):
		of.rest(r.now, r.every, mostDoublings)
		of.err = remembered(err)
	case of.err != nil:
		of.rise()
	}
	if err == nil {
		of.vainFrom = time.Time{}
	}
	if err == nil && of.saw(sample, r.now) {
		of.rise()
		r.h.advanced(name, r.now)
	}
	sample.Beforehand = sample.Beforehand && !of.proven
	switch {
	case err != nil:
	case sample.At.IsZero():
		sample.At = r.asOf(sample)
	case byWorker(name):
		of.dates.learn(sample.At, r.now)
		sample.At, sample.SavedAt = of.dates.ours(sample.At), of.dates.ours(sample.SavedAt)
	}
	if saved := savedAt(r.t.Annotations, r.now); err == nil && saved.After(sample.SavedAt) {
		sample.SavedAt = saved
	}
	r.answers[name] = answer{sample, err}
	return sample, err
}

// asTarget is the job as a source is to read it, which is not asked again before it has rested for being asked in vain.
func (r *reading) asTarget(source v1alpha1.ProgressSource) Target {
	t := r.t
	if of := r.h.known(source); t.Again > 0 && of != nil && source != r.h.current {
		rest := of.vainRest(r.now, r.every)
		t.Again, t.Next = max(t.Again, rest), max(t.Next, rest)
	}
	return t
}

// answersAgain says that a source of the worker that is read answers, which has been silent together with others.
func (r *reading) answersAgain(source Source) bool {
	listens, is := source.(Listener)
	return is && len(r.t.Pods) > 0 && listens.Answers(r.t.Pods[0])
}

// lacks says by an error that the job does not have a source, and nobody wants it read: there is nothing to remember of
// it, and to ask again asks nobody.
func (r *reading) lacks(err error) bool {
	return errors.Is(err, errNotOffered) && r.t.Spec.Source == ""
}

// try reads one source.
func (r *reading) try(ctx context.Context, source Source) (Sample, error) {
	sample, err := source.Read(ctx, r.asTarget(source.Name()))
	if err == nil {
		sample.Source = source.Name()
		sample.Beforehand = sample.Source == v1alpha1.ProgressAnnotation && !r.whileItRuns(sample)
		err = check(byOurClock(sample, r.now), r.now)
	}
	if err != nil {
		return Sample{}, &SourceError{source.Name(), err}
	}
	return sample, nil
}

// byOurClock is a sample as it is to be checked. What a node dates that is ahead of us has just been told.
func byOurClock(s Sample, now time.Time) Sample {
	if lead := s.At.Sub(now); byNode(s.Source) && lead > maxAhead && lead <= mostAhead {
		s.At = now
		if !s.SavedAt.IsZero() {
			s.SavedAt = s.SavedAt.Add(-lead)
		}
	}
	return s
}

// asOf is the date of a sample that has none. What was written beforehand was so when the worker began: what
// another source tells of the time since then is newer.
func (r *reading) asOf(s Sample) time.Time {
	if pod, err := first(r.t); s.Beforehand && err == nil && pod.Status.StartTime != nil &&
		pod.Status.StartTime.Time.Before(r.now) {
		return pod.Status.StartTime.Time
	}
	return r.now
}

// whileItRuns says that something was done, by its date, since the first worker began: whoever says so
// watches the job.
func (r *reading) whileItRuns(s Sample) bool {
	pod, err := first(r.t)
	return err == nil && pod.Status.StartTime != nil && s.Done > 0 && s.At.After(pod.Status.StartTime.Time)
}
