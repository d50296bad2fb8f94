package stories

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// toll is what the operator does within some minutes; of the looks at objects, those at the hostile tenant's.
type toll struct{ plans, looks, steps, writes int }

// A tenant who changes the deadlines of eight jobs, and lies about how far they are, a hundred times a second costs
// what he costs who does it ten times a second. What that is does not depend on how often he does it, and a deadline of
// another is decided on as soon as without him.
func TestStoryAFloodOfChangesCostsNoMoreThanAFew(t *testing.T) {
	const minutes = 2
	few, many := flooded(t, minutes, 10), flooded(t, minutes, 100)
	t.Logf("10 a second: %+v, 100 a second: %+v", few, many)
	for what, of := range map[string]struct{ few, many, most int }{
		// The worst of it is what all of his jobs call for together, beside the moments of the plans themselves.
		"plans": {few.plans, many.plans, minutes * 60 * 2},
		// Within a span of n seconds lie n+1 of what is done once a second.
		"looks":  {few.looks, many.looks, (minutes*60 + 1) * 2 * hostileJobs},
		"steps":  {few.steps, many.steps, (minutes*60 + 1) * hostileJobs},
		"writes": {few.writes, many.writes, minutes * 60 * hostileJobs / 3},
	} {
		if what != "steps" && of.many > of.few+of.few/4+20 { // steps are as many as the plans of that hour have resizes
			t.Errorf("%s: %d at ten changes a second, and %d at a hundred", what, of.few, of.many)
		}
		if of.many > of.most {
			t.Errorf("%s: %d within %d minutes, want %d at most", what, of.many, minutes, of.most)
		}
	}
}

const hostileJobs = 8

// flooded plays so many minutes with so many changes a second.
func flooded(t *testing.T, minutes, aSecond int) toll {
	l := newLoop(t)
	l.forged = true // what he says is nothing to judge the operator by
	l.z.Nodes(2, 8)
	l.begin()
	habits := habit.Animals()[0].Habits
	habits.By, habits.Hours = habit.Annotation, 5
	add := func(name string) {
		l.z.Add(name, habits, 1, 2, most)
		l.take(name, l.z.Clock.Now().Add(8*time.Hour))
	}
	for i := range hostileJobs {
		add(fmt.Sprintf("hostile-%d", i))
	}
	add("humble")
	add("other")
	run := func(span time.Duration) {
		l.z.Clock.Run(l.z.Clock.Now().Add(span), func() bool { return false })
	}
	run(time.Minute)
	random := rand.New(rand.NewPCG(16, 16))
	n := 0
	l.z.Clock.Every(time.Second/time.Duration(aSecond), func() bool {
		at := metav1.ObjectMeta{Namespace: zoo.Namespace, Name: fmt.Sprintf("hostile-%d", n%hostileJobs)}
		n++
		zoo.Change(l.z.Server, &v1alpha1.ElasticJob{ObjectMeta: at}, func(ej *v1alpha1.ElasticJob) {
			ej.Generation++
			ej.Spec.Deadline = v1alpha1.NewTime(l.z.Clock.Now().Add(time.Duration(1+random.IntN(600)) * time.Minute))
		})
		zoo.Change(l.z.Server, &kubeflow.PyTorchJob{ObjectMeta: at}, func(job *kubeflow.PyTorchJob) {
			job.Annotations = map[string]string{progress.ProgressAnnotation: fmt.Sprintf("%d/1000 steps", random.IntN(1001))}
		})
		return true
	})
	run(time.Minute) // what may be done in a row is done by then
	clear(l.calls)
	clear(l.looks)
	wrote := l.wrote
	run(time.Duration(minutes) * time.Minute)
	spent := toll{plans: l.calls["planner"], writes: l.wrote - wrote}
	for i := range hostileJobs { // without those at their Resizes, which have names of their own
		spent.looks += l.looks[fmt.Sprintf("hostile-%d", i)]
	}
	spent.steps = l.calls["resizer"]
	l.isHeard("humble")
	return spent
}

// isHeard has somebody change a deadline in the middle of it.
func (l *loop) isHeard(name string) {
	l.t.Helper()
	asked := l.z.Clock.Now()
	earlier := asked.Add(7 * time.Hour)
	zoo.Change(l.z.Server, &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: name}},
		func(ej *v1alpha1.ElasticJob) {
			ej.Generation++
			ej.Spec.Deadline = v1alpha1.NewTime(earlier)
		})
	l.z.Clock.Run(asked.Add(time.Second), func() bool { return false })
	if planned := l.o.Planner.Sleep.At; planned.Before(asked.Add(watchLag)) {
		l.t.Errorf("a second after somebody else has changed a deadline the last plan is %s old",
			l.z.Clock.Now().Sub(planned))
	}
	var ej v1alpha1.ElasticJob
	l.z.Clock.Run(asked.Add(2*time.Second), func() bool { return false })
	if err := l.z.Server.Get(l.t.Context(), client.ObjectKey{Namespace: zoo.Namespace, Name: name}, &ej); err != nil {
		l.t.Fatal(err)
	}
	if at, err := ej.Status.Deadline.Time(); err != nil || !at.Equal(earlier.Truncate(time.Second)) {
		l.t.Errorf("two seconds after somebody else has changed a deadline to %s the status tells of %s", earlier,
			ej.Status.Deadline)
	}
}
