package cli

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Who suspends a job may resume it at once: Takt need not have said yet who it was.
func TestWhoHasSuspendedAJob(t *testing.T) {
	for name, test := range map[string]struct {
		said, asked string
		want        bool
	}{
		"somebody, as is said": {v1alpha1.ReasonSuspendedByUser, "", true},
		"somebody, since it was said to run": {v1alpha1.ReasonNotSuspended,
			`{"job":"uid","epoch":3,"stage":"Forward","workers":4}`, true},
		"Takt, since it was said to run": {
			v1alpha1.ReasonNotSuspended, `{"job":"uid","epoch":3,"stage":"Forward","workers":4,"suspended":true}`, false,
		},
		"Takt asked another of its name": {
			v1alpha1.ReasonNotSuspended, `{"job":"old","epoch":3,"stage":"Forward","workers":4,"suspended":true}`, true,
		},
		"Takt, since somebody was said to have": {
			v1alpha1.ReasonSuspendedByUser, `{"job":"uid","epoch":3,"stage":"Forward","workers":4,"suspended":true}`, false,
		},
		"nobody: it waits":             {"WaitsForGPUs", "", false},
		"nobody has said anything yet": {"", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			job, training := &v1alpha1.ElasticJob{}, &unstructured.Unstructured{Object: map[string]any{}}
			if test.said != "" {
				job.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionSuspended, Reason: test.said}}
			}
			training.SetUID("uid")
			training.SetAnnotations(map[string]string{"takt.dev/ask": test.asked})
			if got := bySomebody(job, training); got != test.want {
				t.Errorf("somebody has: %t, want %t", got, test.want)
			}
		})
	}
}
