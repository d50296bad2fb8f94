package real

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// wellBehaved ends with 0 when it is told to stop, as many wrappers do that mean to end in good order.
const wellBehaved = `trap "exit 0" TERM; "$@" & wait $!`

// Where a worker that is told to leave exits with 0, training-operator takes the work of all for done. Takt says what
// has happened.
func TestRealTrainingThatExitsWithZeroIsCutShort(t *testing.T) {
	s := newStage(t)
	j := job{name: "trapped", deadline: 15 * time.Minute, least: 1, most: 4, workers: 4, steps: 300,
		sample: 20 * time.Millisecond, script: wellBehaved}
	folder := s.submit(j)
	s.trains(folder, 4)
	s.hold("newcomer", 2)
	s.verdict(j.name, v1alpha1.VerdictMissed, patience)
	if said := s.elasticJob(j.name).Status.Message; !strings.Contains(said, "while Takt made it smaller") {
		t.Errorf("it is said: %s", said)
	}
	if history := rounds(records(t, folder)); history[len(history)-1].last >= j.steps {
		t.Errorf("it has trained to its end: %v", history)
	}
}

// With the agent the same training outlives the same loss of workers, and ends right.
func TestRealTrainingThatExitsWithZeroIsSafeWithTheAgent(t *testing.T) {
	s := newStage(t)
	s.withAgent()
	s.makesRoom(job{
		name: "guarded", deadline: 15 * time.Minute, least: 1, most: 4, workers: 4, steps: 300, sample: 20 * time.Millisecond,
		script:    wellBehaved,
		suspended: true,
	})
}

// Where a worker leaves sooner than one of a higher index, training-operator makes it anew, and deletes it again. It
// gets no node meanwhile, so that it neither trains with those who stay nor takes what others wait for.
func TestRealTrainingIsNotJoinedByWhoHasLeft(t *testing.T) {
	s := newStage(t)
	j := job{
		name: "lingers", deadline: 15 * time.Minute, least: 1, most: 4, workers: 4, steps: 200, sample: 20 * time.Millisecond,
		suspended: true, lingers: 3,
	}
	lives := s.lives("lingers-worker-2")
	s.makesRoom(j)
	made, placed := lives()
	t.Logf("lingers-worker-2 was made %d times, and given a node %d times", made, placed)
	if made < 2 {
		t.Error("this shows nothing")
	}
	if placed != 1 {
		t.Error("it came back, though it was told to leave")
	}
}

// lives counts how often a pod of a name is made, and how often it is given a node, until it is asked.
func (s *stage) lives(name string) (counted func() (made, placed int)) {
	ctx, stop := context.WithCancel(s.t.Context())
	done, made, placed := make(chan struct{}), map[types.UID]bool{}, map[types.UID]bool{}
	go func() {
		defer close(done)
		again := time.NewTicker(100 * time.Millisecond)
		defer again.Stop()
		for ; ctx.Err() == nil; <-again.C {
			pod := &corev1.Pod{}
			if s.client.Get(ctx, client.ObjectKey{Namespace: s.namespace, Name: name}, pod) != nil {
				continue // there is none, or the test is over
			}
			made[pod.UID] = true
			if pod.Spec.NodeName != "" {
				placed[pod.UID] = true
			}
		}
	}()
	return func() (int, int) {
		stop()
		<-done
		return len(made), len(placed)
	}
}
