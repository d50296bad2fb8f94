package reporting_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// What keeps a job from its size is on record for the process that comes next: that one keeps it until it has planned.
func TestAFreshProcessKeepsWhatHindersAJob(t *testing.T) {
	decided := func(known *memory.Job, due time.Time) {
		known.Decide(elastic.Outcome{Workers: 1, Verdict: elastic.OnTrack}, due, fixture.Start)
	}
	for name, c := range map[string]struct {
		was   metav1.Condition
		known func(*memory.Job, time.Time)
		want  string
	}{
		"nothing is planned yet": {metav1.Condition{Reason: memory.ReasonUnplaced, Message: "It comes to no node."}, nil,
			"WorkersNotPlaced: It comes to no node."},
		"it is planned": {metav1.Condition{Reason: memory.ReasonUnplaced, Message: "It comes to no node."}, decided,
			"SizeKept: "},
		"it is hindered otherwise": {metav1.Condition{Reason: memory.ReasonUnplaced, Message: "It comes to no node."},
			func(known *memory.Job, _ time.Time) {
				known.Withhold(memory.Hindrance{Reason: memory.ReasonNoNode, Message: "No node can run it."}, fixture.Start)
			}, "NoNodeFits: No node can run it."},
		"its resize is over": {metav1.Condition{Status: metav1.ConditionTrue, Reason: "SpareCapacity", Message: "Resize 1."},
			nil, "SizeKept: "},
		"nothing was said": {metav1.Condition{}, nil, "SizeKept: "},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				if c.was.Reason == "" {
					return
				}
				if c.was.Type = v1alpha1.ConditionResizing; c.was.Status == "" {
					c.was.Status = metav1.ConditionFalse
				}
				ej.Status.Conditions = []metav1.Condition{c.was}
			})
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 1))
			st := fixture.StatusAsWritten(t.Context(), t, o, ej, c.known)
			is := meta.FindStatusCondition(st.Conditions, v1alpha1.ConditionResizing)
			if got := is.Reason + ": " + is.Message; got != c.want || is.Status != metav1.ConditionFalse {
				t.Errorf("%s %s", is.Status, got)
			}
		})
	}
}

// A job that waits for others does not start with its turn.
func TestWhatIsSaidOfTheStartOfAJobThatWaitsForOthers(t *testing.T) {
	for name, c := range map[string]struct {
		after []v1alpha1.Predecessor
		want  string
	}{
		"none": {nil, "It has no workers and keeps no GPU: Takt starts it when its turn has come."},
		"one": {[]v1alpha1.Predecessor{{Name: "first"}},
			"It has no workers and keeps no GPU: it waits for first to succeed."},
		"two": {[]v1alpha1.Predecessor{{Name: "first"}, {Name: "second"}},
			"It has no workers and keeps no GPU: it waits for first and second to succeed."},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.After = c.after })
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst))
			st := fixture.StatusAsWritten(t.Context(), t, o, ej, nil)
			if is := meta.FindStatusCondition(st.Conditions, v1alpha1.ConditionSuspended); is.Message != c.want {
				t.Errorf("%s", is.Message)
			}
		})
	}
}
