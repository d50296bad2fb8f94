package planning

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/view"
)

// settled says that a resize which is under way cannot be withdrawn any more.
func settled(active *v1alpha1.Resize, job kind.Job) bool {
	return active.Annotations[view.WithdrawnAnnotation] != "" || reached(active, v1alpha1.ConditionRollingBack) ||
		touched(active) && !stopsToGrow(active, job)
}

// stopsToGrow says that a job has been told to stop for a growth, and was not asked for its new size yet: to start
// again at the one that it had costs it no more.
func stopsToGrow(active *v1alpha1.Resize, job kind.Job) bool {
	return active.Spec.Mode == v1alpha1.ResizeCold && active.Spec.From > 0 && active.Spec.To > active.Spec.From &&
		reached(active, v1alpha1.ConditionCommitted) && !reached(active, v1alpha1.ConditionRestarting) &&
		job.Asked.Suspended && int64(job.Asked.Epoch) == active.Spec.Epoch
}

// touched says that the training knows of a resize which is under way.
func touched(active *v1alpha1.Resize) bool {
	return reached(active, v1alpha1.ConditionCommitted) || reached(active, v1alpha1.ConditionRestarting)
}

// goesOn says that a job trains on as before the resize that is under way: the resize goes back, and its workers never
// knew of it.
func goesOn(active *v1alpha1.Resize) bool {
	return active.Spec.From > 0 && reached(active, v1alpha1.ConditionRollingBack) && !touched(active)
}

func reached(active *v1alpha1.Resize, condition string) bool {
	return meta.FindStatusCondition(active.Status.Conditions, condition) != nil
}

// underWay is the change of the size of a training that is under way; nil if it starts or stops by that, or goes back,
// or was seen to train on since: then it is known what it has lost.
func underWay(active *v1alpha1.Resize, job kind.Job, resumed time.Time, busyUntil elastic.Seconds) *elastic.Change {
	committed := meta.FindStatusCondition(active.Status.Conditions, v1alpha1.ConditionCommitted)
	if active.Spec.From == 0 || active.Spec.To == 0 ||
		reached(active, v1alpha1.ConditionRollingBack) ||
		committed != nil && resumed.After(committed.LastTransitionTime.Time) {
		return nil
	}
	return &elastic.Change{
		From: elastic.Workers(active.Spec.From), BusyUntil: busyUntil,
		Since: coretime.Seconds(active.CreationTimestamp.Time), Reason: elastic.ResizeCause(active.Spec.Reason),
		Settled: settled(active, job),
	}
}
