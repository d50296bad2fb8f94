package planning

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/view"
)

func TestHowLongAJobIsNotGrownAgain(t *testing.T) {
	ended := func(from, to int32, how string, reason resize.Reason) *v1alpha1.Resize {
		r := &v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{From: from, To: to}}
		r.Status.Conditions = []metav1.Condition{{
			Type: how, Status: metav1.ConditionTrue, Reason: string(reason), LastTransitionTime: metav1.NewTime(present),
		}}
		return r
	}
	failed := ended(1, 2, v1alpha1.ConditionRolledBack, resize.NothingFits)
	refused := ended(1, 2, v1alpha1.ConditionFailed, resize.Refused)
	withdrawn := ended(1, 2, v1alpha1.ConditionRolledBack, resize.Withdrawn)
	late := ended(1, 2, v1alpha1.ConditionFailed, resize.SizeNotAsDecided)
	superseded := ended(1, 2, v1alpha1.ConditionRolledBack, resize.Superseded)
	grown := ended(1, 2, v1alpha1.ConditionSucceeded, resize.ProgressSeen)
	notShrunk := ended(2, 1, v1alpha1.ConditionFailed, resize.PodsNotGone)
	underWay := &v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{From: 1, To: 2}}
	for name, test := range map[string]struct {
		past []*v1alpha1.Resize
		want time.Duration
	}{
		"nothing has failed":       {nil, 0},
		"a growth has failed":      {[]*v1alpha1.Resize{failed}, time.Minute},
		"two have":                 {[]*v1alpha1.Resize{failed, failed}, 2 * time.Minute},
		"many have":                {slices.Repeat([]*v1alpha1.Resize{failed}, 100), 30 * time.Minute},
		"nobody may change it":     {[]*v1alpha1.Resize{refused}, time.Minute},
		"one came too late":        {[]*v1alpha1.Resize{failed, late}, time.Minute},
		"all came too late":        {[]*v1alpha1.Resize{superseded}, 0},
		"one was taken back":       {[]*v1alpha1.Resize{withdrawn}, 0},
		"two were, one by one":     {[]*v1alpha1.Resize{withdrawn, withdrawn}, time.Minute},
		"three were":               {[]*v1alpha1.Resize{withdrawn, withdrawn, withdrawn}, 2 * time.Minute},
		"one was, after a failure": {[]*v1alpha1.Resize{failed, withdrawn}, 0},
		"one has succeeded since":  {[]*v1alpha1.Resize{failed, grown}, 0},
		"it has shrunk since":      {[]*v1alpha1.Resize{failed, notShrunk}, 0},
		"another one is under way": {[]*v1alpha1.Resize{failed, underWay}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Planner{Settings: settings.Default()}
			until := p.notGrownUntil(&view.Subject{Past: test.past})
			if test.want == 0 && !until.IsZero() || test.want > 0 && !until.Equal(present.Add(test.want)) {
				t.Errorf("until %v, want %v from %v", until, test.want, present)
			}
		})
	}
}
