package stories

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// A plan that is not made would have decided nothing: whoever plans every so often, from scratch, finds what was
// decided last. So it is in random histories of trainings that tell little, stand still and go on, with pods of others
// that want their GPUs.
func TestStoryAPlanThatIsNotMadeWouldHaveDecidedNothing(t *testing.T) {
	seeds := extent.Seeds(t, 24)
	slept, due := make([]int, len(seeds)), make([]int, len(seeds))
	t.Run("histories", func(t *testing.T) {
		for i, seed := range seeds {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				slept[i], due[i] = aHistory(t, seed)
			})
		}
	})
	made, most := 0, 0
	for i := range seeds {
		made, most = made+slept[i], most+due[i]
	}
	t.Logf("%d plans, and %d moments at which one would have been made", made, most)
}

// aHistory plays one history, and says how many plans were made, and at how many moments they were compared.
func aHistory(t *testing.T, seed uint64) (plans, moments int) {
	random := rand.New(rand.NewPCG(seed, 16))
	quiet := slices.DeleteFunc(habit.Animals(), func(a habit.Animal) bool {
		return a.Tells > 0 && a.Tells < 10*time.Minute || a.Ran > 0
	})
	l := newLoop(t)
	l.z.Nodes(2, 4)
	l.begin()
	var all []*zoo.Training
	later := func() time.Duration { return time.Duration(random.IntN(3*3600)) * time.Second }
	for i := range 4 {
		name, habits := fmt.Sprintf("job-%d", i), quiet[random.IntN(len(quiet))].Habits
		training := l.z.Add(name, habits, 1, 2, most)
		all = append(all, training)
		l.take(name, l.z.Clock.Now().Add(time.Duration(float64(training.Takes(2))*(0.8+2*random.Float64()))))
		if random.IntN(2) == 0 { // it stands still for a while
			speed := training.Life.Speed
			l.z.Clock.In(later(), func() { training.Life.Speed = 0 })
			l.z.Clock.In(later()+2*time.Hour, func() { training.Life.Speed = speed })
		}
		l.z.Clock.Run(l.z.Clock.Now().Add(time.Duration(random.IntN(600))*time.Second), func() bool { return false })
	}
	for i := range 2 {
		pod := wanting(fmt.Sprintf("other-%d", i), int64(1+random.IntN(4)))
		from := later()
		l.z.Clock.In(from, func() {
			pod.Status.Conditions[0].LastTransitionTime = metav1.NewTime(l.z.Clock.Now())
			_ = l.z.Server.Create(t.Context(), pod)
		})
		l.z.Clock.In(from+later(), func() { _ = l.z.Server.Delete(t.Context(), pod) })
	}
	missed := map[string]string{} // by job, what a plan would have decided at the last moment and at this one
	l.z.Clock.Every(l.o.Settings.Planning.Every.Duration, func() bool {
		moments++
		missed = l.compare(missed)
		return true
	})
	l.z.Clock.Run(l.z.Clock.Now().Add(12*time.Hour), func() bool {
		return !slices.ContainsFunc(all, func(t *zoo.Training) bool { return !t.Over() })
	})
	return l.calls["planner"], moments
}

// compare plans from scratch, acts on nothing, and says of which jobs that decides what was not decided. Where it does
// so twice in a row, and no plan was made in between, one was missed.
func (l *loop) compare(before map[string]string) map[string]string {
	every := l.o.Settings.Planning.Every.Duration
	if at, waits := l.due[call{by: "planner"}]; waits && at.Sub(l.z.Clock.Now()) < every {
		return nil // it is about to
	}
	sc, err := l.o.Planner.Observe(l.t.Context())
	if err != nil || l.o.Planner.LeaveOutNonsense(sc) != nil {
		l.t.Fatal(err)
	}
	decision, missed := l.o.Planner.Decide(sc.Snapshot), map[string]string{}
	for i, s := range sc.Subjects {
		is, was := decision.Jobs[i], s.Known.Decided()
		if was == nil || was.Workers != is.Workers || was.Verdict != is.Verdict || was.Promised != is.Promised {
			missed[is.Name] = fmt.Sprintf("%d workers, %s, promised %t: %s", is.Workers, is.Verdict, is.Promised, is.Why)
		}
		if before[is.Name] != "" && missed[is.Name] != "" && l.o.Planner.Sleep.At.Add(every).Before(l.z.Clock.Now()) {
			l.t.Errorf("%s: %s would have %s; it was decided at %s: %+v", l.z.Clock.Now().Format(time.TimeOnly), is.Name,
				missed[is.Name],
				l.o.Planner.Sleep.At.Format(time.TimeOnly), was)
		}
	}
	return missed
}

// wanting is a pod that Takt does not look after, and that waits for GPUs.
func wanting(name string, gpus int64) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: name},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "other", Resources: corev1.ResourceRequirements{
				Limits: corev1.ResourceList{"nvidia.com/gpu": *resource.NewQuantity(gpus, resource.DecimalSI)},
			},
		}}},
		Status: corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message: "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.",
		}}},
	}
}
