package planning_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/view"
)

// A planner is told of a change that is under way, and whether it may be given up: as long as no training knows of it.
func TestAChangeUnderWayIsToldUntilItGoesBack(t *testing.T) {
	for name, test := range map[string]struct {
		from, to  int32
		condition string
		withdrawn string
		want      bool
		settled   bool
	}{
		"its workers are placed": {2, 4, v1alpha1.ConditionPlaced, "", true, false},
		"its workers are let in": {2, 4, v1alpha1.ConditionCommitted, "", true, true},
		"it is given up already": {2, 4, v1alpha1.ConditionPlaced, "Others need these GPUs.", true, true},
		"it gives back":          {4, 2, v1alpha1.ConditionCommitted, "", true, true},
		"it goes back":           {2, 4, v1alpha1.ConditionRollingBack, "", false, false},
		"it starts":              {0, 4, v1alpha1.ConditionPlaced, "", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", fixture.BestEffort)
			r := fixture.ResizeOf(ej, 1, test.from, test.to, test.condition)
			if test.withdrawn != "" {
				r.Annotations = map[string]string{view.WithdrawnAnnotation: test.withdrawn}
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"), fixture.PyTorchJob("resnet", test.to), ej, r)
			sc, err := o.Planner.Observe(t.Context())
			if err != nil || len(sc.Snapshot.Jobs) != 1 {
				t.Fatal(sc, err)
			}
			got := sc.Snapshot.Jobs[0].Changes
			if (got != nil) != test.want || got != nil && (got.From != elastic.Workers(test.from) ||
				got.Reason != elastic.SpareCapacity || got.Settled != test.settled) {
				t.Errorf("it changes by %+v", got)
			}
		})
	}
}

// A growth that goes back before its workers were let in has stopped nothing: the training is not busy with it.
func TestATrainingIsNotBusyWithAGrowthThatItNeverKnewOf(t *testing.T) {
	for name, test := range map[string]struct {
		conditions []string
		want       bool
	}{
		"its workers were placed": {[]string{v1alpha1.ConditionPlaced, v1alpha1.ConditionRollingBack}, false},
		"its workers were let in": {
			[]string{v1alpha1.ConditionPlaced, v1alpha1.ConditionCommitted, v1alpha1.ConditionRollingBack}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", fixture.BestEffort)
			r := fixture.ResizeOf(ej, 1, 2, 4, test.conditions...)
			r.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-10 * time.Second))
			o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"), fixture.PyTorchJob("resnet", 4), ej, r)
			sc, err := o.Planner.Observe(t.Context())
			if err != nil || len(sc.Snapshot.Jobs) != 1 {
				t.Fatal(sc, err)
			}
			if job := sc.Snapshot.Jobs[0]; job.Workers != 2 || job.BusyUntil > sc.Snapshot.Now != test.want {
				t.Errorf("with %d workers it is busy for %g s more, want %t", job.Workers, job.BusyUntil-sc.Snapshot.Now, test.want)
			}
		})
	}
}
