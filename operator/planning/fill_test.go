package planning

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
)

// What was written beforehand tells the total, and does not undo what was told since.
func TestWhatIsDoneIsKnownBeforeTheFirstReading(t *testing.T) {
	for name, test := range map[string]struct {
		status v1alpha1.ProgressStatus
		note   string
		want   float64
	}{
		"written alone": {v1alpha1.ProgressStatus{}, "10/100 steps", .1},
		"told by a log": {v1alpha1.ProgressStatus{PartsPerMillion: 420_000, Source: "Logs"}, "0/100 steps", .42},
		"told by what is written": {
			v1alpha1.ProgressStatus{PartsPerMillion: 420_000, Source: "Annotation"}, "50/100 steps", .5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &view.Subject{
				ElasticJob: &v1alpha1.ElasticJob{Status: v1alpha1.ElasticJobStatus{Progress: test.status}},
				Job:        kind.Job{Annotations: map[string]string{progress.ProgressAnnotation: test.note}},
			}
			got := new(Planner).fillOptions(t.Context(), s, present)
			if got.DoneShare != test.want || got.Total != 100 || got.Unit != "steps" {
				t.Errorf("%g of %g %s, want %g of 100 steps", got.DoneShare, got.Total, got.Unit, test.want)
			}
		})
	}
}

// A fresh process does not take a job that has saved its state for one that never has, nor an old one for a young one.
func TestWhatIsSavedIsKnownBeforeTheFirstReading(t *testing.T) {
	saved, began := present.Add(-time.Minute), present.Add(-time.Hour)
	s := &view.Subject{
		ElasticJob: &v1alpha1.ElasticJob{Status: v1alpha1.ElasticJobStatus{
			Progress: v1alpha1.ProgressStatus{LastCheckpointAt: v1alpha1.NewTime(saved)},
		}},
		Pods: []view.Worker{{Pod: &corev1.Pod{
			Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: new(metav1.NewTime(began))},
		}}},
	}
	got := new(Planner).fillOptions(t.Context(), s, present)
	if !got.SavedAt.Equal(saved) || !got.Began.Equal(began) {
		t.Errorf("it has saved its state at %v, and began at %v", got.SavedAt, got.Began)
	}
}
