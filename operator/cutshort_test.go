package operator

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// A worker that is told to leave and exits with 0 ends the whole job as if its work were done.
func TestAJobThatAShrinkHasEndedIsNotSaidToHaveMetItsDeadline(t *testing.T) {
	const why = "ended at 42 %, while Takt made it smaller"
	for name, test := range map[string]struct {
		from, to     int32
		left         time.Duration // that it was going to take from when it was last read, ten seconds before its end
		begun, ended time.Duration // of the Resize, before the end of the job
		over         bool
		verdict      v1alpha1.Verdict
		short        bool
	}{
		"in the middle of a shrink":      {4, 3, time.Hour, time.Minute, 0, false, v1alpha1.VerdictMissed, true},
		"the shrink has ended with it":   {4, 3, time.Hour, time.Minute, -time.Second, true, v1alpha1.VerdictMissed, true},
		"long after a shrink":            {4, 3, time.Hour, time.Hour, 50 * time.Minute, true, v1alpha1.VerdictMet, false},
		"in the middle of a growth":      {3, 4, time.Hour, time.Minute, 0, false, v1alpha1.VerdictMet, false},
		"nearly done, and it was shrunk": {4, 3, 15 * time.Second, time.Minute, 0, false, v1alpha1.VerdictMet, false},
		"nobody knows when it would end": {4, 3, 0, time.Minute, 0, false, v1alpha1.VerdictMet, false},
	} {
		t.Run(name, func(t *testing.T) {
			end := start.Add(-time.Minute)
			job := pytorchJob("resnet", 3, func(job *kubeflow.PyTorchJob) {
				at := metav1.NewTime(end)
				job.Status.CompletionTime = &at
				job.Status.Conditions = []kubeflow.JobCondition{{Type: kubeflow.JobSucceeded, Status: corev1.ConditionTrue, LastTransitionTime: at}}
			})
			ej := elasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.DeadlineAfter = "3h"
				read := end.Add(-10 * time.Second)
				ej.Status.Progress = v1alpha1.ProgressStatus{PartsPerMillion: 420_000, ObservedAt: v1alpha1.NewTime(read)}
				if test.left > 0 {
					ej.Status.Prediction.ETA = v1alpha1.NewTime(read.Add(test.left))
				}
			})
			r := &v1alpha1.Resize{
				ObjectMeta: metav1.ObjectMeta{
					Namespace: "team", Name: "resnet-1", OwnerReferences: []metav1.OwnerReference{owned(ej)},
					CreationTimestamp: metav1.NewTime(end.Add(-test.begun)),
				},
				Spec: v1alpha1.ResizeSpec{ElasticJob: "resnet", Epoch: 1, From: test.from, To: test.to, Mode: v1alpha1.ResizeLive},
			}
			if test.over {
				r.Status.Conditions = []metav1.Condition{{
					Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue, Reason: "Test", LastTransitionTime: metav1.NewTime(end.Add(-test.ended)),
				}}
			}
			o := stopped(t, interceptor.Funcs{}, ej, job, r, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			for _, look := range []string{"first", "second"} {
				status := statusAsWritten(t.Context(), t, o, ej, nil)
				if status.Verdict != test.verdict || strings.Contains(status.Message, why) != test.short {
					t.Errorf("at the %s look %s: %s", look, status.Verdict, status.Message)
				}
				if done := status.Progress.PartsPerMillion; (done == 420_000) != test.short {
					t.Errorf("at the %s look its progress is said to be %d ppm", look, done)
				}
				ej.Status = status
			}
		})
	}
}

// The end of a job is told in whole seconds. One that was late within the second of its deadline is not said to have met
// it, as it was said to be late while it still trained.
func TestAJobThatWasLateByLessThanASecondStaysLate(t *testing.T) {
	for name, c := range map[string]struct {
		before v1alpha1.Verdict
		end    time.Time
		want   v1alpha1.Verdict
	}{
		"it was said to be late":             {v1alpha1.VerdictMissed, start.Add(-time.Minute), v1alpha1.VerdictMissed},
		"it was said to be in time":          {v1alpha1.VerdictOnTrack, start.Add(-time.Minute), v1alpha1.VerdictMet},
		"its deadline was another meanwhile": {v1alpha1.VerdictMissed, start.Add(-2 * time.Minute), v1alpha1.VerdictMet},
	} {
		t.Run(name, func(t *testing.T) {
			job := pytorchJob("resnet", 3, func(job *kubeflow.PyTorchJob) {
				at := metav1.NewTime(c.end)
				job.Status.CompletionTime = &at
				job.Status.Conditions = []kubeflow.JobCondition{{Type: kubeflow.JobSucceeded, Status: corev1.ConditionTrue, LastTransitionTime: at}}
			})
			ej := elasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline, ej.Status.Verdict = v1alpha1.NewTime(start.Add(-time.Minute)), c.before
			})
			o := stopped(t, interceptor.Funcs{}, ej, job, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			for _, look := range []string{"first", "second"} {
				status := statusAsWritten(t.Context(), t, o, ej, nil)
				if status.Verdict != c.want {
					t.Errorf("at the %s look %s: %s", look, status.Verdict, status.Message)
				}
				ej.Status = status
			}
		})
	}
}
