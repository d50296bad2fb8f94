package stories

import (
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// A training that exits with 0 when it is told to leave is cut short once. The next run of its profile is resized by a
// restart, and is in time.
func TestStoryATrainingThatExitsWithZeroIsCutShortOnce(t *testing.T) {
	l := newLoop(t)
	l.z.Nodes(2, 8)
	l.begin()
	animals := habit.Animals()
	at := slices.IndexFunc(animals, func(a habit.Animal) bool { return a.ExitsZero })
	var cut []bool
	for _, run := range []string{"first", "second"} {
		long := animals[at].Habits
		long.Hours = 0.7
		training := l.z.Add(run, long, 1, 8, most)
		zero := l.judge(run, animals[at].Name, training, l.z.Clock.Now().Add(3*time.Hour), false)
		l.takeAs(run, "careless", zero.deadline)
		l.z.Clock.Run(l.z.Clock.Now().Add(10*time.Minute), training.Over)
		// Somebody comes who is in a hurry, and needs some of its GPUs.
		hurry := habit.Animals()[0].Habits
		hurry.Hours = 0.3
		name := "hurry-" + run
		needs := l.z.Add(name, hurry, 1, 8, most)
		urgent := l.judge(name, "in a hurry", needs, l.z.Clock.Now().Add(needs.Takes(8)+15*time.Minute), false)
		other := l.z.Add(name+"-too", hurry, 1, 4, most)
		also := l.judge(name+"-too", "in a hurry", other, l.z.Clock.Now().Add(other.Takes(6)+15*time.Minute), false)
		l.take(name, urgent.deadline)
		l.take(name+"-too", also.deadline)
		l.until(zero, urgent, also)
		cut = append(cut, zero.cut())
		var ej v1alpha1.ElasticJob
		if err := l.z.Server.Get(t.Context(), types.NamespacedName{Namespace: zoo.Namespace, Name: run}, &ej); err != nil {
			t.Fatal(err)
		}
		if said := reporting.SaidCutShort(&ej.Status); said != zero.cut() {
			t.Errorf("%s run, ended at %.0f %%: %s %s", run, 100*zero.Done(), ej.Status.Verdict, ej.Status.Message)
		}
		for _, r := range l.resizesOf(run) {
			if r.Ending().Reason == string(resize.JobIsFinished) && zero.cut() {
				t.Errorf("%s run, %d→%d: %s", run, r.Spec.From, r.Spec.To, r.Ending().Message)
			}
			if run == "second" && r.Spec.From > 0 && r.Spec.To > 0 && r.Spec.Mode != v1alpha1.ResizeCold {
				t.Errorf("the second run is resized while it trains: %d→%d", r.Spec.From, r.Spec.To)
			}
		}
	}
	if !slices.Equal(cut, []bool{true, false}) {
		t.Errorf("cut short: %t, want the first alone", cut)
	}
}

// resizesOf are the Resizes of a job.
func (l *loop) resizesOf(job string) (found []*v1alpha1.Resize) {
	l.t.Helper()
	var all v1alpha1.ResizeList
	if err := l.z.Server.List(l.t.Context(), &all); err != nil {
		l.t.Fatal(err)
	}
	for i := range all.Items {
		if all.Items[i].Spec.ElasticJob == job {
			found = append(found, &all.Items[i])
		}
	}
	return found
}
