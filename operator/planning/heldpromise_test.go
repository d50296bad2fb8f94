package planning_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
)

// A growth has failed, and is tried again in a while. What was promised with it is kept for the job until then: nobody
// else is promised its GPUs, and the promise does not fall for want of them.
func TestAPromiseKeepsItsGPUsWhileAGrowthIsHeld(t *testing.T) {
	deadline := fixture.Start.Add(6 * time.Hour)
	for name, promised := range map[string]bool{"promised": true, "planned": false} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline, ej.Spec.Workers.Max = v1alpha1.NewTime(deadline), new(int32(4))
			})
			job := fixture.PyTorchJob("resnet", 1)
			failed := fixture.ResizeOf(ej, 1, 1, 2, v1alpha1.ConditionRolledBack)
			failed.Status.Conditions[0].Reason = string(resize.NothingFits)
			failed.Status.Conditions[0].LastTransitionTime = metav1.NewTime(fixture.Start)
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"),
				failed,
				&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			observed := func() elastic.Job {
				sc, err := o.Planner.Observe(t.Context())
				if err != nil || len(sc.Snapshot.Jobs) != 1 {
					t.Fatalf("%+v: %v", sc, err)
				}
				return sc.Snapshot.Jobs[0]
			}
			pool := observed().Pool
			known := o.Memory.Of(job.UID, fixture.Start, nil)
			known.Decide(elastic.Outcome{
				Workers: 1, Pool: pool, Verdict: elastic.OnTrack, Promised: promised,
				Reserved: []elastic.Span{{From: coretime.Seconds(fixture.Start), To: coretime.Seconds(deadline), Workers: 3}},
			}, deadline, fixture.Start)
			is := observed()
			has := slices.ContainsFunc(is.Sizes, func(s elastic.Size) bool { return s.Workers == 3 })
			if u := is.Ungrown; u == nil || u.Until <= coretime.Seconds(fixture.Start) || !has || is.Promised != promised {
				t.Errorf("it is planned as %+v, with 3 workers: %t; promised: %t", u, has, is.Promised)
			}
		})
	}
}
