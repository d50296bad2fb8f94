package planning

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
)

// A job that was stopped and had to go back has stood still, whatever its new pods lacked. Only what somebody has
// decided meanwhile tells nothing of the next try.
func TestWhatAJobWasStoppedForInVain(t *testing.T) {
	for name, c := range map[string]struct {
		reason resize.Reason
		from   int32
		mode   v1alpha1.ResizeMode
		trains bool // nobody has stopped it
		how    string
		want   elastic.Seconds
	}{
		"its pods could not be made":       {reason: resize.PodsMissing, want: 240},
		"none of them found room":          {reason: resize.NothingFits, want: 240},
		"too few of them did":              {reason: resize.TooFewFit, want: 240},
		"a node was lost":                  {reason: resize.NodeLost, want: 240},
		"they were not ready in time":      {reason: resize.NotReadyInTime, want: 240},
		"it does not train like that":      {reason: resize.NoProgress, want: 240},
		"it may not be changed":            {reason: resize.Refused, want: 240, how: v1alpha1.ConditionFailed},
		"others needed its GPUs":           {reason: resize.Withdrawn},
		"somebody has scaled it":           {reason: resize.ChangedByHand, how: v1alpha1.ConditionFailed},
		"another decision has taken over":  {reason: resize.Superseded, how: v1alpha1.ConditionFailed},
		"it was at its end":                {reason: resize.JobAtItsEnd},
		"it went well":                     {reason: resize.ProgressSeen, how: v1alpha1.ConditionSucceeded},
		"it was not stopped yet":           {reason: resize.PodsMissing, trains: true},
		"it grew while it trained":         {reason: resize.PodsMissing, mode: v1alpha1.ResizeLive},
		"it was to start, and did not run": {reason: resize.PodsMissing, from: -2},
	} {
		t.Run(name, func(t *testing.T) {
			r := &v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{From: 2 + c.from, To: 4, Mode: v1alpha1.ResizeCold}}
			if c.mode != "" {
				r.Spec.Mode = c.mode
			}
			how := v1alpha1.ConditionRolledBack
			if c.how != "" {
				how = c.how
			}
			if !c.trains {
				r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{Type: v1alpha1.ConditionCommitted,
					Status: metav1.ConditionTrue, LastTransitionTime: metav1.NewTime(present.Add(-4 * time.Minute))})
			}
			r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{Type: how, Status: metav1.ConditionTrue,
				Reason: string(c.reason), LastTransitionTime: metav1.NewTime(present)})
			if got := past(&view.Subject{Past: []*v1alpha1.Resize{r}}); len(got) != 1 || got[0].InVain != c.want {
				t.Errorf("it has ended %+v, want %v s in vain", got, c.want)
			}
		})
	}
}
