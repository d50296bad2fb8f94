package resizing

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/operator/writing"
)

const (
	// readWithin is how long an agent may take to read what is written on its pod: a fifth of a second, as a rule.
	readWithin = time.Second
	readEvery  = time.Second / 2
	// share is what part of the time since then passes before whoever does not answer is asked again.
	share = 8
	// mostAnew is how often something is written anew at most, and readBy when an agent has read it that can: by then the
	// kubelet has looked again by itself.
	mostAnew = 10
	readBy   = 3 * time.Minute
)

// anew counts how often what was written last on pods was written anew.
type anew struct {
	mu sync.Mutex
	of map[types.UID]int
}

// begin begins to count anew for a pod, as something else is written on it.
func (a *anew) begin(pod types.UID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.of, pod)
}

// may counts once more, and says whether that is not too often.
func (a *anew) may(pod types.UID) bool {
	const many = 4096 // pods, most of which are gone
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of == nil || len(a.of) > many {
		a.of = map[types.UID]int{}
	}
	a.of[pod]++
	return a.of[pod] <= mostAnew
}

// unread has a kubelet look again at a pod of which the agent has not read what was written for it. A kubelet that is
// just writing the annotations into the file of the pod takes those that come meanwhile for written, and looks again
// after a minute or more by itself: as long would a worker that is let in wait while the others train. It gives how
// soon to ask again; 0 if all is read.
func (z *Resizer) unread(ctx context.Context, s *view.Subject, observed resize.Observed) (in time.Duration, err error) {
	if !observed.Agent || z.Agents == nil {
		return 0, nil
	}
	for i, w := range s.Pods {
		at := writtenAt(w.Pod, observed.Now)
		if observed.Pods[i].State != resize.PodTraining || at.IsZero() || observed.Now.Sub(at) > readBy {
			continue
		}
		word := z.Agents.Last(w.Pod)
		heard := !word.At.Before(at)
		if heard && read(w.Pod, word, observed.Now) {
			continue
		}
		z.Agents.Of(ctx, w.Pod, func() {})
		soon := max(readEvery, observed.Now.Sub(at)/share)
		if in == 0 || soon < in {
			in = soon
		}
		if heard && word.At.Sub(at) >= readWithin && z.anew.may(w.Pod.UID) {
			if err := writing.Annotate(ctx, z.Client, w.Pod, written(z.Now(), nil)); err != nil {
				return 0, fmt.Errorf("having the agent of %s/%s read: %w", w.Pod.Namespace, w.Pod.Name, err)
			}
		}
	}
	return in, nil
}

// read says that an agent has read what is written on its pod.
func read(pod *corev1.Pod, word hearing.Word, now time.Time) bool {
	_, marked := pod.Annotations[contract.DrainingAnnotation]
	return !word.Waits && (!marked || word.Drains) && word.Read >= requestOf(pod, now) &&
		word.AsideRead >= request(pod, contract.StepAsideAnnotation, now)
}

// written are annotations for the agent of a pod, and when they were written.
func written(now time.Time, annotations map[string]any) map[string]any {
	all := map[string]any{contract.WrittenAnnotation: contract.RequestAt(now).String()}
	maps.Copy(all, annotations)
	return all
}

// writtenAt is when anything was written for the agent of a pod at last; zero if nothing was, or nobody can tell.
func writtenAt(pod *corev1.Pod, now time.Time) time.Time {
	if !wrapping.Within(pod) {
		return time.Time{}
	}
	return toldAt(pod, contract.WrittenAnnotation, now)
}
