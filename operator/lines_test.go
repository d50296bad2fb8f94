package operator

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestLinesOfARecordWaitForTheNextUnlessSomethingDependsOnThem(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		lines []string
		after time.Duration // since the first was held
		want  bool
	}{
		"none":                     {nil, 0, false},
		"one that may wait":        {[]string{v1alpha1.ConditionProposed}, 0, true},
		"several":                  {[]string{v1alpha1.ConditionProposed, v1alpha1.ConditionPlaced, v1alpha1.ConditionReady}, time.Second, true},
		"for long enough":          {[]string{v1alpha1.ConditionProposed}, tellWithin, false},
		"the point of no return":   {[]string{v1alpha1.ConditionReady, v1alpha1.ConditionCommitted}, 0, false},
		"turning round":            {[]string{v1alpha1.ConditionRollingBack}, 0, false},
		"starting the whole again": {[]string{v1alpha1.ConditionRestarting}, 0, false},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			l := &lines{held: map[types.UID]heldLines{}}
			before := &v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{UID: "1"}}
			r := before.DeepCopy()
			r.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionProposed}}
			l.hold(before, r, now)
			r.Status.Conditions = nil
			for _, line := range test.lines {
				r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{Type: line})
			}
			if _, holds := l.hold(before, r, now.Add(test.after)); holds != test.want {
				t.Errorf("they wait: %t, want %t", holds, test.want)
			}
			read := before.DeepCopy()
			l.onto(read)
			if test.want && len(read.Status.Conditions) != len(test.lines) {
				t.Errorf("%d lines are remembered, want %d", len(read.Status.Conditions), len(test.lines))
			}
			l.forget("1")
			read = before.DeepCopy()
			if l.onto(read); len(read.Status.Conditions) > 0 {
				t.Error("they are remembered after they were written")
			}
		})
	}
}
