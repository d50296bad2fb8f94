package stories

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// mostWrites is how many writes one resize may cost that comes to its goal, from its making until all has been said of
// its end. One that is rolled back may cost three more: that it turns round, and the size once more, which are two
// writes where the job is stopped for it.
const mostWrites, mostMoreBack = 6, 3

// These are the writes of a resize, each with who needs it. None but them is written.
const (
	// Whoever comes after a crash goes by what was decided; so does the scheduler, which places no pods of a resize that
	// is not there.
	resizeMade = "Resize"
	// Training-operator goes by it. One that goes through zero takes two: of one alone, pods of both sizes would be there
	// together, under the same names.
	sizeAsked = "PyTorchJob"
	// People who look at the ElasticJob see that it is resized, and to which size; and later, what came of it.
	peopleTold = "ElasticJob"
	// Whoever comes after a crash knows since when the pods have had their nodes: they have so long to be ready.
	gangPlaced = "Resize Placed"
	// Workers that are about to leave may end their job if they end well: by this it is known that it is not done.
	workersLeave = "Resize Committed"
	// The scheduler places none of the new pods from here on. Else some could begin to train between the next write and
	// their end. It says as well why the resize turns round, which the end repeats, and how many GPUs the planner counts.
	turnsRound = "Resize RollingBack"
	// Nothing of the resize is left to do, and the next may begin. So it cannot be said together with turning round:
	// whoever came after a crash would leave the job as large as it is.
	succeeded, rolledBack = "Resize Succeeded", "Resize RolledBack"
)

// Pods of the zoo take longer to start than lines of a record wait for the next one, as those of real trainings do.
func TestAResizeCostsFewWrites(t *testing.T) {
	start := []string{resizeMade, sizeAsked, peopleTold, gangPlaced, succeeded, peopleTold}
	restart := []string{resizeMade, sizeAsked, peopleTold, sizeAsked, succeeded, peopleTold}
	for name, test := range map[string]struct {
		cold  bool
		sizes []int // that the job has one after the other
		want  []string
	}{
		"a start":                  {false, []int{2}, start},
		"a growth while it trains": {false, []int{2, 4}, start},
		"a shrink while it trains": {
			false, []int{4, 2}, []string{resizeMade, workersLeave, sizeAsked, peopleTold, succeeded, peopleTold},
		},
		"a start of one that stops": {true, []int{2}, start},
		"a growth by a restart":     {true, []int{2, 4}, restart},
		"a shrink by a restart":     {true, []int{4, 2}, restart},
		"a growth that is rolled back": {
			false, []int{2, 4}, []string{resizeMade, sizeAsked, peopleTold, turnsRound, sizeAsked, rolledBack, peopleTold},
		},
		"a restart that is rolled back": {true, []int{2, 4},
			[]string{resizeMade, sizeAsked, peopleTold, sizeAsked, turnsRound, sizeAsked, sizeAsked, rolledBack, peopleTold}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLoop(t)
			l.begin()
			habits := habit.Animals()[0].Habits
			habits.Cold, habits.Compiles = test.cold, 0
			l.z.Add("job", habits, 1, test.sizes[0], most)
			l.take("job", l.z.Clock.Now().Add(100*time.Hour))
			run := func(span time.Duration) {
				l.z.Clock.Run(l.z.Clock.Now().Add(span), func() bool { return false })
			}
			run(time.Minute) // until all has been said of it that no resize is the cause of
			l.z.Nodes(most, 1)
			before := 0 // what of the history was before the last change
			for i, size := range test.sizes {
				before = len(l.history)
				if i > 0 && slices.Contains(test.want, rolledBack) {
					l.z.Server.Watch(func(_, after client.Object) { l.unplaceable(after, test.sizes[0]) })
				}
				run(20 * time.Second) // in which a start begins, at the size that it was written for
				if len(test.sizes) > 1 {
					l.sized("job", size)
				}
				if i < len(test.sizes)-1 {
					run(20 * time.Minute) // it trains
				} else {
					l.z.Clock.Run(l.z.Clock.Now().Add(20*time.Minute), func() bool { return l.hasEnded(l.history[before:]) })
				}
			}
			if got := writesOf(t, l.history[before:]); !slices.Equal(got, test.want) {
				t.Errorf("it has cost %d writes, not %d: %v, not %v", len(got), len(test.want), got, test.want)
			}
			allowed := mostWrites
			if slices.Contains(test.want, rolledBack) {
				allowed += mostMoreBack
			}
			if len(test.want) > allowed {
				t.Errorf("%d writes are more than %d", len(test.want), allowed)
			}
		})
	}
}

// sized lets a job have one size only.
func (l *loop) sized(name string, size int) {
	zoo.Change(l.z.Server, &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: name}},
		func(ej *v1alpha1.ElasticJob) {
			ej.Generation++
			ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(size)), Max: new(int32(size))}
		})
}

// unplaceable keeps a pod from a node if its index is not below one: what only the scheduler finds out.
func (l *loop) unplaceable(after client.Object, below int) {
	pod, is := after.(*corev1.Pod)
	if !is || pod.Spec.NodeName != "" || len(pod.Spec.NodeSelector) > 0 {
		return
	}
	if index, err := strconv.Atoi(pod.Labels[kubeflow.ReplicaIndexLabel]); err == nil && index >= below {
		l.z.Clock.In(0, func() {
			zoo.Change(l.z.Server, pod, func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"nowhere": "true"} })
		})
	}
}

// afterIt is how long what a resize has ended with may take to be written.
const afterIt = 5 * time.Second

// hasEnded says that a resize has ended, and a moment has passed since.
func (l *loop) hasEnded(history []wroteThis) bool {
	return slices.ContainsFunc(history, func(w wroteThis) bool {
		r, is := w.object.(*v1alpha1.Resize)
		return is && r.Ending() != nil && l.z.Clock.Now().Sub(w.at) > afterIt
	})
}

// writesOf are what was written about a job from the making of the next Resize to its end, and for a moment after that.
func writesOf(t *testing.T, history []wroteThis) (all []string) {
	t.Helper()
	var first *v1alpha1.Resize
	var from, to time.Time
	for _, w := range history {
		r, is := w.object.(*v1alpha1.Resize)
		if is && first == nil {
			first, from = r, w.at
		}
		if !is || r.Name != first.Name || !to.IsZero() {
			continue
		}
		if n := len(r.Status.Conditions); n > 0 && r.Status.Reached != r.Status.Conditions[n-1].Type {
			t.Errorf("what is shown of it is %q, and it has come to %s", r.Status.Reached, r.Status.Conditions[n-1].Type)
		}
		if r.Over() {
			to = w.at.Add(afterIt)
		}
	}
	if to.IsZero() {
		t.Fatal("it has not ended")
	}
	for _, w := range history {
		if _, is := w.object.(*v1alpha1.TrainingQueue); is || w.at.Before(from) || w.at.After(to) {
			continue // a queue is written once in a while, however many of its jobs are resized
		}
		all = append(all, w.String())
	}
	return all
}

// String says what was written, and how far a resize was then.
func (w wroteThis) String() string {
	kind := reflect.TypeOf(w.object).Elem().Name()
	if r, is := w.object.(*v1alpha1.Resize); is && len(r.Status.Conditions) > 0 {
		return kind + " " + r.Status.Conditions[len(r.Status.Conditions)-1].Type
	}
	return kind
}

// What is not on record yet when a process dies is found again by the next: a job that was told to stop in order to be
// resized is resized, once, whichever write was the last.
func TestAResizeThroughZeroEndsTheSameWhereverTheOperatorDies(t *testing.T) {
	for dies := 1; dies <= mostWrites; dies++ {
		t.Run(fmt.Sprintf("after write %d", dies), func(t *testing.T) {
			t.Parallel()
			l := newLoop(t)
			l.z.Nodes(most, 1)
			l.begin()
			habits := habit.Animals()[0].Habits
			habits.Cold, habits.Compiles = true, 0
			l.z.Add("job", habits, 1, 2, most)
			l.take("job", l.z.Clock.Now().Add(100*time.Hour))
			run := func(span time.Duration) {
				l.z.Clock.Run(l.z.Clock.Now().Add(span), func() bool { return false })
			}
			run(20 * time.Second)
			l.sized("job", 2)
			run(5 * time.Minute)
			before := len(l.history)
			l.sized("job", 4)
			l.die(dies)
			run(5 * time.Minute)
			ends := map[string]string{}
			for _, w := range l.history[before:] {
				if r, is := w.object.(*v1alpha1.Resize); is {
					ends[r.Name] = ""
					if end := r.Ending(); end != nil {
						ends[r.Name] = end.Type
					}
				}
			}
			if want := map[string]string{"job-2": v1alpha1.ConditionSucceeded}; !maps.Equal(ends, want) {
				t.Errorf("its resizes have ended as %v, want %v", ends, want)
			}
			var job kubeflow.PyTorchJob
			if err := l.z.Server.Get(t.Context(), client.ObjectKey{Namespace: zoo.Namespace, Name: "job"}, &job); err != nil {
				t.Fatal(err)
			}
			if has := *job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas; has != 4 ||
				*job.Spec.RunPolicy.Suspend {
				t.Errorf("it has %d workers, and is suspended: %t", has, *job.Spec.RunPolicy.Suspend)
			}
		})
	}
}
