package stories

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Where somebody brings a deadline forward, what is decided within the next moments is one decision, whether the
// process dies in between or not: a job of another that was promised its deadline, and has hours to spare, is not
// stopped, and nobody gives back more GPUs than are then used.
func TestStoryAnEarlierDeadlineTakesWhatItNeedsOnce(t *testing.T) {
	for name, dies := range map[string]int{"it lives": 0, "it dies after two writes": 2, "it dies after four writes": 4} {
		t.Run(name, func(t *testing.T) {
			l := newLoop(t)
			l.z.Nodes(2, 8)
			l.begin()
			habits := habit.Animals()[0].Habits
			habits.Hours = 3
			promise := func(ej *v1alpha1.ElasticJob) { ej.Spec.Guarantee = v1alpha1.GuaranteePromise }
			deadlines := map[string]time.Time{}
			for _, job := range []struct {
				name  string
				takes float64 // as a part of what it has until its deadline, with the workers that it was written for
			}{{"patient", 0.35}, {"steady", 0.75}, {"hurried", 0.75}} {
				training := l.z.Add(job.name, habits, 1, 4, most)
				deadlines[job.name] = l.z.Clock.Now().Add(time.Duration(float64(training.Takes(4)) / job.takes))
				l.take(job.name, deadlines[job.name])
				if job.name == "patient" {
					zoo.Change(l.z.Server,
						&v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: job.name}}, promise)
				}
			}
			run := func(span time.Duration) {
				l.z.Clock.Run(l.z.Clock.Now().Add(span), func() bool { return false })
			}
			run(30 * time.Minute)
			var ej v1alpha1.ElasticJob
			if err := l.z.Server.Get(t.Context(), client.ObjectKey{Namespace: zoo.Namespace, Name: "patient"},
				&ej); err != nil || !(&view.Subject{ElasticJob: &ej}).IsPromised(deadlines["patient"]) {
				t.Fatalf("it has no promise: %v, %+v", err, ej.Status.Conditions)
			}
			given, taken := int32(0), int32(0)
			l.z.Server.Watch(func(before, after client.Object) {
				r, is := after.(*v1alpha1.Resize)
				if !is || before != nil {
					return
				}
				t.Logf("%s: %s %d→%d: %s", l.z.Clock.Now().Format("15:04:05.0"), r.Spec.ElasticJob, r.Spec.From, r.Spec.To,
					r.Spec.Message)
				if r.Spec.ElasticJob == "patient" && r.Spec.To == 0 {
					t.Errorf("patient is stopped: %s", r.Spec.Message)
				}
				given, taken = given+max(r.Spec.From-r.Spec.To, 0), taken+max(r.Spec.To-r.Spec.From, 0)
			})
			if dies > 0 {
				l.die(dies)
			}
			earlier := deadlines["hurried"].Add(-115 * time.Minute)
			zoo.Change(l.z.Server,
				&v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: "hurried"}},
				func(ej *v1alpha1.ElasticJob) {
					ej.Generation++
					ej.Spec.Deadline = v1alpha1.NewTime(earlier)
				})
			run(3 * time.Minute)
			if taken == 0 || given > taken {
				t.Errorf("%d GPUs were given back, and %d used", given, taken)
			}
		})
	}
}
