package resizing

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestLinesOfARecordWaitForTheNextUnlessSomethingDependsOnThem(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		lines []string
		after time.Duration // since they are so
		want  time.Duration
	}{
		"none":              {nil, 0, 0},
		"one that may wait": {[]string{v1alpha1.ConditionPlaced}, 0, tellWithin},
		"several": {[]string{v1alpha1.ConditionProposed, v1alpha1.ConditionPlaced, v1alpha1.ConditionReady},
			time.Second, tellWithin - time.Second},
		"for long enough":          {[]string{v1alpha1.ConditionPlaced}, tellWithin, 0},
		"what the job says itself": {[]string{v1alpha1.ConditionProposed}, tellWithin, tellRarely - tellWithin},
		"the point of no return":   {[]string{v1alpha1.ConditionReady, v1alpha1.ConditionCommitted}, 0, 0},
		"turning round":            {[]string{v1alpha1.ConditionRollingBack}, 0, 0},
		"starting the whole again": {[]string{v1alpha1.ConditionRestarting}, 0, 0},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			l := NewUnwritten()
			before := &v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{UID: "1"}, Spec: growth}
			r := before.DeepCopy()
			for _, line := range test.lines {
				r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{
					Type: line, LastTransitionTime: metav1.NewTime(now),
				})
			}
			if wait, holds := l.hold(before, r, true, now.Add(test.after)); wait != test.want || holds != (test.want > 0) {
				t.Errorf("they wait %v, want %v", wait, test.want)
			}
			read := before.DeepCopy()
			l.onto(read)
			if test.want > 0 && len(read.Status.Conditions) != len(test.lines) {
				t.Errorf("%d lines are remembered, want %d", len(read.Status.Conditions), len(test.lines))
			}
			l.forget(before)
			read = before.DeepCopy()
			if l.onto(read); len(read.Status.Conditions) > 0 {
				t.Error("they are remembered after they were written")
			}
		})
	}
}

// Of a resize that this process has seen from the beginning the lines after the first may wait for long, and what only
// the job itself would have to say.
func TestHowLongALineMayWait(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	const none = 0 * time.Second
	for name, test := range map[string]struct {
		spec  v1alpha1.ResizeSpec
		told  bool // something is on record already
		begun bool // by this process
		agent bool
		line  string
		want  time.Duration
	}{
		"that the job was asked":         {growth, false, true, false, v1alpha1.ConditionProposed, tellRarely},
		"the same, after a crash":        {growth, false, false, false, v1alpha1.ConditionProposed, tellRarely},
		"the first that nobody else has": {growth, false, true, false, v1alpha1.ConditionPlaced, tellWithin},
		"the first of workers to leave":  {shrink, false, true, false, v1alpha1.ConditionProposed, tellWithin},
		"the next":                       {growth, true, true, false, v1alpha1.ConditionPlaced, tellRarely},
		"the next, after a crash":        {growth, true, false, false, v1alpha1.ConditionPlaced, tellWithin},
		"new pods that nothing holds":    {growth, true, true, false, v1alpha1.ConditionCommitted, tellRarely},
		"new pods that the agent holds":  {growth, true, true, true, v1alpha1.ConditionCommitted, none},
		"workers that leave":             {shrink, true, true, false, v1alpha1.ConditionCommitted, none},
		"a stop":                         {stop, true, true, false, v1alpha1.ConditionCommitted, none},
		"a restart":                      {restart, false, true, false, v1alpha1.ConditionCommitted, tellRarely},
		"a restart, after a crash":       {restart, false, false, false, v1alpha1.ConditionCommitted, tellWithin},
		"a restart that the agent saves": {restart, false, true, true, v1alpha1.ConditionCommitted, none},
		"a restart that turns round":     {restart, true, true, false, v1alpha1.ConditionRollingBack, none},
	} {
		t.Run(name, func(t *testing.T) {
			l := NewUnwritten()
			before := &v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{UID: "1"}, Spec: test.spec}
			if test.told {
				before.Status.Conditions = []metav1.Condition{{Type: "Told"}}
			}
			if test.begun {
				l.begins(before)
			}
			r := before.DeepCopy()
			r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{
				Type: test.line, LastTransitionTime: metav1.NewTime(now),
			})
			if wait, holds := l.hold(before, r, test.agent, now); wait != test.want || holds != (test.want > 0) {
				t.Errorf("it waits %v, want %v", wait, test.want)
			}
		})
	}
}

// One that is made anew under the same name has its own lines.
func TestARecordOfTheSameNameHasLinesOfItsOwn(t *testing.T) {
	l, was := NewUnwritten(), proposed(1, 2, 4)
	held := was.DeepCopy()
	held.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionProposed}}
	l.begins(was)
	l.hold(was, held, false, present)
	is := was.DeepCopy()
	is.UID = "another"
	if l.onto(is); len(is.Status.Conditions) > 0 {
		t.Errorf("it has got %+v", is.Status.Conditions)
	}
	if l.heldOf(is).begun {
		t.Error("it counts as seen from the beginning")
	}
}

var (
	growth  = v1alpha1.ResizeSpec{From: 1, To: 2, Mode: v1alpha1.ResizeLive}
	shrink  = v1alpha1.ResizeSpec{From: 2, To: 1, Mode: v1alpha1.ResizeLive}
	stop    = v1alpha1.ResizeSpec{From: 2, To: 0, Mode: v1alpha1.ResizeCold}
	restart = v1alpha1.ResizeSpec{From: 2, To: 1, Mode: v1alpha1.ResizeCold}
)
