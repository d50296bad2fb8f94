package planning

import (
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
)

// The core writes the causes and the conditions of resizes by names of its own. The API documents them: people and
// their tools look for those.
func TestTheAPIHasTheNamesThatTheCoreWrites(t *testing.T) {
	for documented, written := range map[v1alpha1.ResizeReason]elastic.ResizeCause{
		v1alpha1.ReasonStarted:       elastic.Started,
		v1alpha1.ReasonStopped:       elastic.Stopped,
		v1alpha1.ReasonDeadlineRisk:  elastic.DeadlineRisk,
		v1alpha1.ReasonSpareCapacity: elastic.SpareCapacity,
		v1alpha1.ReasonGivenBack:     elastic.GaveBack,
		v1alpha1.ReasonRangeChanged:  elastic.RangeChanged,
		v1alpha1.ReasonNodeLeaves:    elastic.NodeLeaves,
	} {
		if string(documented) != string(written) {
			t.Errorf("the cause %s is documented as %s", written, documented)
		}
	}
	for documented, written := range map[string]resize.ConditionType{
		v1alpha1.ConditionProposed:    resize.Proposed,
		v1alpha1.ConditionPlaced:      resize.Placed,
		v1alpha1.ConditionReady:       resize.Ready,
		v1alpha1.ConditionCommitted:   resize.Committed,
		v1alpha1.ConditionRollingBack: resize.RollingBack,
		v1alpha1.ConditionRestarting:  resize.Restarting,
		v1alpha1.ConditionSucceeded:   resize.Succeeded,
		v1alpha1.ConditionRolledBack:  resize.RolledBack,
		v1alpha1.ConditionFailed:      resize.Failed,
	} {
		if documented != string(written) {
			t.Errorf("the condition %s is documented as %s", written, documented)
		}
	}
}
