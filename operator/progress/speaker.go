package progress

import (
	"context"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Most trainings tell their progress by their first worker. Those of Megatron do by the one of the last rank; where
// ranks go by addresses, it may be any worker, and another one after a restart.

const (
	// others is how many further workers are asked at a time, while the one that is read tells nothing new.
	others = 3
	// joins is how long after its workers have changed a training has begun again with them, so that whoever tells
	// something then is the one who will.
	joins = 2 * time.Minute
)

// speaker is which worker tells how far the training is.
type speaker struct {
	pod    types.UID   // empty for the first
	crew   []types.UID // sorted
	joined time.Time   // when its workers have changed, and with them perhaps who speaks; zero once it is known who does
	silent int         // readings in which it told nothing
	turn   int         // whose turn it is to be asked beside the last
}

// first has the speaker come first.
func (s *speaker) first(pods []*corev1.Pod) []*corev1.Pod {
	at := slices.IndexFunc(pods, func(p *corev1.Pod) bool { return p.UID == s.pod })
	if at <= 0 {
		return pods
	}
	return slices.Concat(pods[at:at+1], pods[:at], pods[at+1:])
}

// meet takes note of the workers that there are now.
func (s *speaker) meet(pods []*corev1.Pod, now time.Time) {
	crew := make([]types.UID, len(pods))
	for i, pod := range pods {
		crew[i] = pod.UID
	}
	slices.Sort(crew)
	if s.crew != nil && !slices.Equal(crew, s.crew) {
		s.joined = now
	}
	s.crew = crew
}

// advanced takes note that the speaker goes on.
func (s *speaker) advanced(now time.Time) {
	if now.Sub(s.joined) > joins {
		s.joined = time.Time{}
	}
}

// next are those to be asked beside the one that is read, which comes first: the last each time, and of the others each
// in turn.
func (s *speaker) next(pods []*corev1.Pod) []*corev1.Pod {
	rest := pods[1:]
	if len(rest) <= others {
		return rest
	}
	last, rest := rest[len(rest)-1], rest[:len(rest)-1]
	asked := []*corev1.Pod{last}
	for range others - 1 {
		asked = append(asked, rest[s.turn%len(rest)])
		s.turn++
	}
	return asked
}

// listens says whether another worker may be the one that tells how far the training is, so that some are to be asked:
// where this one tells nothing, every second time; where it has told nothing new for long, or since the workers have
// changed, each time.
func (r *reading) listens(told Sample, err error) bool {
	s := &r.h.speaker
	if len(r.t.Pods) < 2 || err != nil && !errors.Is(err, ErrNone) {
		return false
	}
	if err != nil || told.Beforehand {
		if !r.asked() {
			return false
		}
		s.silent++
		return s.silent%2 == 1
	}
	return byWorker(told.Source) &&
		(!s.joined.IsZero() || isOld(told, began(r.t)) || r.h.record(told.Source).quiet(r.now, r.every))
}

// isOld says that what a worker has told is no word of those that train now: one of them has begun since.
func isOld(told Sample, began time.Time) bool { return !told.At.IsZero() && told.At.Before(began) }

// began is when the last of the workers began, or began anew.
func began(t Target) (last time.Time) {
	last = RunSince(t.Pods)
	for _, pod := range t.Pods {
		trainer := Trainer(pod, t.Container)
		for _, c := range pod.Status.ContainerStatuses {
			if c.Name == trainer && c.State.Running != nil && c.State.Running.StartedAt.After(last) {
				last = c.State.Running.StartedAt.Time
			}
		}
	}
	return last
}

// asked says that a worker was asked in this reading.
func (r *reading) asked() bool {
	for source := range r.answers {
		if byWorker(source) {
			return true
		}
	}
	return false
}

// byWorker says that a source is one that each worker has.
func byWorker(source v1alpha1.ProgressSource) bool {
	return source == v1alpha1.ProgressAgent || source == v1alpha1.ProgressPrometheus || source == v1alpha1.ProgressLogs
}

// byNode says that what a source tells is dated by the clock of a node.
func byNode(source v1alpha1.ProgressSource) bool {
	return source == v1alpha1.ProgressAgent || source == v1alpha1.ProgressLogs
}

// hear asks others than the worker that is read, and says whether one of them is the speaker from now on.
func (r *reading) hear(ctx context.Context, told Sample, err error) bool {
	if !r.listens(told, err) {
		return false
	}
	for _, pod := range r.h.speaker.next(r.t.Pods) {
		other := &reading{Reader: r.Reader, t: r.t, now: r.now, h: r.h}
		other.t.Pods = []*corev1.Pod{pod}
		for _, source := range r.sources {
			name := source.Name()
			if ctx.Err() != nil || !byWorker(name) || r.t.Spec.Source != "" && r.t.Spec.Source != name {
				continue
			}
			if told.Source != "" && !told.Beforehand && told.Source != name {
				continue
			}
			if sample, wrong := other.try(ctx, source); wrong == nil && r.speaks(sample) {
				r.h.speaker.pod, r.h.speaker.joined = pod.UID, time.Time{}
				return true
			}
		}
	}
	return false
}

// lastSaved is when the training last saved its state. Where another worker than the first tells the progress, the
// first may still be who says so, as of Megatron.
func (r *reading) lastSaved(ctx context.Context, pods []*corev1.Pod, told Sample) time.Time {
	if len(pods) < 2 || !byWorker(told.Source) || pods[0] == r.t.Pods[0] {
		return told.SavedAt
	}
	first := r.t
	first.Pods = pods[:1]
	for _, source := range r.sources {
		if source.Name() != told.Source {
			continue
		}
		said, err := source.Read(ctx, first)
		said.SavedAt = r.h.record(source.Name()).dates.ours(said.SavedAt)
		later := said.SavedAt.After(told.SavedAt) && said.SavedAt.Sub(r.now) <= maxAhead
		if later && (err == nil || errors.Is(err, ErrNone)) {
			return said.SavedAt
		}
	}
	return told.SavedAt
}

// speaks says whether what another worker tells is newer than what the one that is read does. All of them may tell the
// same, at about the same time. What one has told before the workers changed, or began, is no word of those that train
// now; and since then they may share the steps in another way.
func (r *reading) speaks(other Sample) bool {
	told, known := r.answers[other.Source]
	since := r.h.speaker.joined
	if last := began(r.t); known && told.err == nil && isOld(told.sample, last) && last.After(since) {
		since = last
	}
	if at := r.h.record(other.Source).dates.ours(other.At); !other.At.IsZero() && at.Before(since) {
		return false
	}
	if !known || told.err != nil {
		return true
	}
	if told.sample.Unit != other.Unit || told.sample.Total != other.Total && since.IsZero() {
		return false
	}
	if other.At.IsZero() {
		return other.Done/other.Total > told.sample.Done/told.sample.Total
	}
	return r.h.record(other.Source).dates.ours(other.At).Sub(told.sample.At) >= r.every
}
