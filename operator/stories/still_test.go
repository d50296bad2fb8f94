package stories

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/writing"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// resync tells every so often of all that there is, as informers do, if they are asked to.
func (l *loop) resync() {
	every := cached.Options(settings.Default()).SyncPeriod
	if every == nil {
		return // by default it is many hours
	}
	of, _ := known.ByKind(kubeflow.PyTorchJobKind)
	l.by["keeper"] = writing.Patiently(l.o.Keeper(of), installed.ErrNotLooked)
	l.z.Clock.Every(*every, func() bool {
		var ejs v1alpha1.ElasticJobList
		var resizes v1alpha1.ResizeList
		var jobs kubeflow.PyTorchJobList
		for _, list := range []client.ObjectList{&ejs, &resizes, &jobs} {
			if err := l.z.Server.List(l.t.Context(), list); err != nil {
				l.t.Error(err)
			}
		}
		for i := range ejs.Items {
			l.hear(&ejs.Items[i], &ejs.Items[i])
		}
		for i := range resizes.Items {
			l.hear(&resizes.Items[i], &resizes.Items[i])
		}
		for i := range jobs.Items {
			l.hear(&jobs.Items[i], &jobs.Items[i])
			l.in(0, call{"keeper", client.ObjectKeyFromObject(&jobs.Items[i])})
		}
		return true
	})
}

// A cluster in which nothing happens costs next to nothing, however its jobs have come to rest.
func TestStoryNothingIsDoneWhereNothingHappens(t *testing.T) {
	const jobs, hours = 10, 2
	tests := map[string]struct {
		by    habit.Channel
		tells time.Duration // for an hour; then it stands still
		left  time.Duration // from when it stands still to its deadline
		looks int           // at each job at most
		asks  int           // for its log, or how busy it is
		wrote int           // about it
	}{
		"told once, by an annotation":                {habit.Annotation, 0, 100 * time.Hour, 30, 16, 0},
		"measured by its annotation, long time left": {habit.Annotation, 15 * time.Second, 100 * time.Hour, 30, 16, 2},
		// That it can not be met any more, and that it was not.
		"measured by its annotation, an hour left": {habit.Annotation, 15 * time.Second, time.Hour, 30, 16, 5},
		"measured by its log, an hour left":        {habit.Log, 15 * time.Second, time.Hour, 45, 50, 5},
	}
	for _, name := range extent.Some(t, slices.Sorted(maps.Keys(tests)), 2) {
		test := tests[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLoop(t)
			l.z.Nodes(jobs, 1)
			l.begin()
			l.resync()
			var all []*zoo.Training
			for i := range jobs {
				name, habits := fmt.Sprintf("job-%d", i), habit.Animals()[0].Habits
				habits.By, habits.Tells, habits.Hours, habits.SavesEvery = test.by, test.tells, 1.8, 0
				all = append(all, l.z.Add(name, habits, 1, 1, 1))
				l.take(name, l.z.Clock.Now().Add(time.Hour+test.left))
				zoo.Change(l.z.Server, &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: name}},
					func(ej *v1alpha1.ElasticJob) {
						ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(1)), Max: new(int32(1))}
					})
				zoo.Change(l.z.Server, &kubeflow.PyTorchJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: name}},
					func(job *kubeflow.PyTorchJob) {
						if test.tells == 0 {
							metav1.SetMetaDataAnnotation(&job.ObjectMeta, progress.ProgressAnnotation, "5/100 steps")
						}
					})
			}
			run := func(span time.Duration) {
				l.z.Clock.Run(l.z.Clock.Now().Add(span), func() bool { return false })
			}
			run(time.Hour)
			for _, each := range all {
				each.Life.Speed, each.Life.Tells = 0, 0
			}
			run(20 * time.Minute) // until it is said that they stand still
			clear(l.calls)
			l.wrote, l.z.Asked = 0, 0
			run(hours * time.Hour)
			t.Logf("%v, %d writes, %d requests", l.calls, l.wrote, l.z.Asked)
			for _, each := range []struct {
				what      string
				got, most int
			}{
				{"a job is looked at", l.calls["reader"] / jobs, test.looks},
				{"what is said of a job is thought over", l.calls["reporter"] / jobs, 20},
				{"what is written on a job is read", l.calls["keeper"] / jobs, 1},
				{"the log or the use of a job is asked for", l.z.Asked / jobs, test.asks},
				{"a plan is made", l.calls["planner"], 20},
				{"something is written about a job", l.wrote / jobs, test.wrote},
			} {
				if each.got > each.most {
					t.Errorf("%s %d times in %d hours, more than %d", each.what, each.got, hours, each.most)
				}
			}
		})
	}
}
