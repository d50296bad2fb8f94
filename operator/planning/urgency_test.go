package planning

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/view"
)

func TestAGrowthSaysHowUrgentItIs(t *testing.T) {
	ej := &v1alpha1.ElasticJob{}
	ej.CreationTimestamp = metav1.NewTime(present.Add(-time.Hour))
	ej.Status.Deadline = v1alpha1.NewTime(present.Add(3 * time.Hour))
	ej.Spec.Deadline = ej.Status.Deadline
	sc := &Scene{At: present, queues: []*v1alpha1.TrainingQueue{
		{ObjectMeta: metav1.ObjectMeta{Name: "research"}, Spec: v1alpha1.TrainingQueueSpec{Priority: new(int32(7))}},
	}}
	ends := elastic.Seconds(present.Add(2 * time.Hour).Unix())
	outcome := elastic.Outcome{ExpectedEnd: &ends}

	starting := v1alpha1.ResizeSpec{From: 0, To: 2}
	sc.urge(&starting, &view.Subject{ElasticJob: ej}, elastic.Job{Queue: "research"}, outcome)
	want := v1alpha1.ResizeSpec{
		From: 0, To: 2, Priority: new(int32(7)),
		StartBy: v1alpha1.NewTime(present.Add(time.Hour)), WaitingSince: v1alpha1.NewTime(present.Add(-time.Hour)),
	}
	if diff := cmp.Diff(want, starting); diff != "" {
		t.Errorf("a job that has not run, -want +got:\n%s", diff)
	}

	meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionRunning, Status: metav1.ConditionFalse,
		LastTransitionTime: metav1.NewTime(present.Add(-time.Minute)),
	})
	again := v1alpha1.ResizeSpec{From: 0, To: 2}
	sc.urge(&again, &view.Subject{ElasticJob: ej}, elastic.Job{Queue: "other"}, elastic.Outcome{})
	if diff := cmp.Diff(v1alpha1.ResizeSpec{From: 0, To: 2, WaitingSince: v1alpha1.NewTime(present.Add(-time.Minute))},
		again); diff != "" {
		t.Errorf("a job that was stopped, and has no estimate, -want +got:\n%s", diff)
	}

	growing := v1alpha1.ResizeSpec{From: 1, To: 2}
	if sc.urge(&growing, &view.Subject{ElasticJob: ej}, elastic.Job{Queue: "other"},
		elastic.Outcome{}); !cmp.Equal(growing, v1alpha1.ResizeSpec{From: 1, To: 2}) {
		t.Errorf("a job that runs waits for nothing: %+v", growing)
	}
}
