package kubeflow

import (
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

// state says whether a training-operator job goes on, when it ended, and what it says of its end. A
// job can carry both Succeeded and Failed, from one look at its pods: then the work was done first,
// for nothing is added once it has failed.
func state(meta *metav1.ObjectMeta, status *kubeflow.JobStatus) (resize.JobState, time.Time, string) {
	s, end := resize.JobGoesOn, (*kubeflow.JobCondition)(nil)
	if c := condition(status, kubeflow.JobSucceeded); c != nil {
		s, end = resize.JobFinished, c
	} else if c := condition(status, kubeflow.JobFailed); c != nil {
		s, end = resize.JobFailed, c
	}
	if meta.DeletionTimestamp != nil {
		s = resize.JobDeleted // and its pods go with it, finished or not
	}
	if end == nil {
		return s, time.Time{}, ""
	}
	// completionTime is left out where an exit code fails the job.
	at := end.LastTransitionTime.Time
	if status.CompletionTime != nil {
		at = status.CompletionTime.Time
	}
	if end.Message == "" {
		return s, at, end.Reason
	}
	return s, at, end.Message
}

func condition(status *kubeflow.JobStatus, t kubeflow.JobConditionType) *kubeflow.JobCondition {
	for i := range status.Conditions {
		if c := &status.Conditions[i]; c.Type == t && c.Status == corev1.ConditionTrue {
			return c
		}
	}
	return nil
}
