package told

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// What a resize has lost is told also where nobody knows for how long nothing was trained.
func TestLastResizeTellsWhatItHasCost(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		cost v1alpha1.ResizeCost
		want string
	}{
		"nothing":      {v1alpha1.ResizeCost{}, "RolledBack."},
		"both":         {v1alpha1.ResizeCost{Pause: "9s", Lost: "12s"}, "for 9s, and work of 12s was done once more."},
		"only a pause": {v1alpha1.ResizeCost{Pause: "9s"}, "; nothing was trained for 9s."},
		"only work":    {v1alpha1.ResizeCost{Lost: "12s"}, "; work of 12s was lost."},
	} {
		t.Run(name, func(t *testing.T) {
			r := v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(now.Add(-time.Minute))}}
			r.Status.Reached, r.Status.Cost = "RolledBack", test.cost
			j := Job{Now: now, Resizes: []v1alpha1.Resize{r}}
			if got := j.lastResize(); !strings.HasSuffix(got, test.want) {
				t.Errorf("got %q, want it to end with %q", got, test.want)
			}
		})
	}
}

// A Resize that was just made has come nowhere yet.
func TestLastResizeThatHasReachedNothing(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	r := v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{Name: "resnet-3", CreationTimestamp: metav1.NewTime(now)}}
	r.Spec.From, r.Spec.To, r.Spec.Reason = 2, 4, v1alpha1.ReasonSpareCapacity
	want := "Its last resize, resnet-3, 0s ago, was from 2 to 4 (SpareCapacity)."
	if got := (Job{Now: now, Resizes: []v1alpha1.Resize{r}}).lastResize(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A job that has begun waits for none of those that it was to start after, whether it has told anything or runs now.
func TestAJobThatHasBegunAwaitsNobody(t *testing.T) {
	resized := func(from, to int32, end string) []v1alpha1.Resize {
		r := v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{From: from, To: to}}
		r.Status.Conditions = []metav1.Condition{{Type: end, Status: metav1.ConditionTrue}}
		return []v1alpha1.Resize{r}
	}
	for name, test := range map[string]struct {
		resizes   []v1alpha1.Resize
		suspended string
		waits     bool
	}{
		"it has not":                    {nil, "SuspendedByTakt", true},
		"nothing was said of it":        {nil, "", true},
		"it was started, and stopped":   {resized(0, 2, v1alpha1.ConditionSucceeded), "SuspendedByTakt", false},
		"it was stopped":                {resized(2, 0, v1alpha1.ConditionSucceeded), "SuspendedByTakt", false},
		"its start has failed":          {resized(0, 2, v1alpha1.ConditionFailed), "SuspendedByTakt", true},
		"its start is under way":        {resized(0, 2, v1alpha1.ConditionPlaced), "SuspendedByTakt", false},
		"it was submitted running":      {nil, v1alpha1.ReasonNotSuspended, false},
		"it was submitted, and stopped": {nil, v1alpha1.ReasonSuspendedByUser, true},
	} {
		t.Run(name, func(t *testing.T) {
			ej := &v1alpha1.ElasticJob{Spec: v1alpha1.ElasticJobSpec{After: []v1alpha1.Predecessor{{Name: "first"}}}}
			if test.suspended != "" {
				ej.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionSuspended, Reason: test.suspended}}
			}
			if said := (Job{ElasticJob: ej, Resizes: test.resizes}).Awaits(); (len(said) > 0) != test.waits {
				t.Errorf("it is told: %q", said)
			}
		})
	}
}
