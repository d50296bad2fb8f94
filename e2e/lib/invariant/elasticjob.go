package invariant

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// found collects what must not be of one object.
type found struct {
	name       string
	violations []string
}

func (f *found) unless(holds bool, format string, arguments ...any) {
	if !holds {
		f.violations = append(f.violations, f.name+": "+fmt.Sprintf(format, arguments...))
	}
}

var conditionsOfElasticJob = []string{
	v1alpha1.ConditionAdmitted, v1alpha1.ConditionRunning, v1alpha1.ConditionResizing, v1alpha1.ConditionOnTrack,
	v1alpha1.ConditionSuspended, v1alpha1.ConditionSucceeded, v1alpha1.ConditionFailed,
}

// ElasticJob checks one status. Before is nil for an object that was not seen before.
func ElasticJob(before, now *v1alpha1.ElasticJob) []string {
	f := &found{name: "ElasticJob " + now.Name}
	status := &now.Status
	f.conditions(now.Generation, status.Conditions, conditionsOfElasticJob)
	f.unless(status.ObservedGeneration <= now.Generation, "observedGeneration %d is ahead of generation %d",
		status.ObservedGeneration, now.Generation)

	is := func(name string) bool { return meta.IsStatusConditionTrue(status.Conditions, name) }
	never := func(a, b string) { f.unless(!is(a) || !is(b), "it is %s and %s at the same time", a, b) }
	never(v1alpha1.ConditionSucceeded, v1alpha1.ConditionFailed)
	never(v1alpha1.ConditionSucceeded, v1alpha1.ConditionRunning)
	never(v1alpha1.ConditionFailed, v1alpha1.ConditionRunning)
	never(v1alpha1.ConditionSuspended, v1alpha1.ConditionRunning)
	f.verdict(status, is)

	w := status.Workers
	f.unless(w.Min <= w.Max, "its least size %d is above its greatest %d", w.Min, w.Max)
	// Its sizes may just have been changed, and what was tried since be undone: then it keeps what it has.
	f.unless(w.Desired == 0 || w.Desired == w.Running || w.Min <= w.Desired && w.Desired <= w.Max,
		"%d workers are desired, outside of %d to %d", w.Desired, w.Min, w.Max)
	f.unless(w.Running >= 0, "%d workers run", w.Running)
	f.present(status)

	if before == nil || before.UID != now.UID {
		return f.violations
	}
	f.unless(status.ObservedGeneration >= before.Status.ObservedGeneration, "observedGeneration went back from %d to %d",
		before.Status.ObservedGeneration, status.ObservedGeneration)
	for _, end := range []string{v1alpha1.ConditionSucceeded, v1alpha1.ConditionFailed} {
		f.unless(!meta.IsStatusConditionTrue(before.Status.Conditions, end) || is(end), "it was %s, and is no more", end)
	}
	f.transitions(before.Status.Conditions, status.Conditions)
	return f.violations
}

// verdict checks that what is said in one word agrees with what is said in conditions.
func (f *found) verdict(status *v1alpha1.ElasticJobStatus, is func(string) bool) {
	verdict := status.Verdict
	if verdict == "" {
		return
	}
	f.unless(status.Message != "", "its verdict %s comes without a sentence", verdict)
	switch verdict {
	case v1alpha1.VerdictAtRisk, v1alpha1.VerdictInfeasible, v1alpha1.VerdictMissed:
		f.unless(!is(v1alpha1.ConditionOnTrack), "its verdict is %s, and yet it is OnTrack", verdict)
	case v1alpha1.VerdictOnTrack:
		f.unless(is(v1alpha1.ConditionOnTrack), "its verdict is OnTrack, and its condition is not")
		f.unless(!strings.HasPrefix(status.Summary.Slack, "-"), "its verdict is OnTrack, and its slack is %s",
			status.Summary.Slack)
	case v1alpha1.VerdictMet:
		f.unless(is(v1alpha1.ConditionSucceeded), "it has met its deadline without having succeeded")
	case v1alpha1.VerdictLeftAlone:
		f.unless(!is(v1alpha1.ConditionAdmitted), "it is left alone, and yet it is Admitted")
		return
	case v1alpha1.VerdictEstimating, v1alpha1.VerdictBestEffort:
		return
	}
	f.unless(status.Deadline != "", "its verdict is %s, but it has no deadline", verdict)
}

// conditions checks what holds of every list of conditions.
func (f *found) conditions(generation int64, conditions []metav1.Condition, known []string) {
	seen := map[string]bool{}
	for _, c := range conditions {
		f.unless(slices.Contains(known, c.Type), "nobody knows the condition %s", c.Type)
		f.unless(!seen[c.Type], "it has the condition %s twice", c.Type)
		f.unless(c.Reason != "", "the condition %s has no reason", c.Type)
		f.unless(!c.LastTransitionTime.IsZero(), "the condition %s does not tell since when", c.Type)
		f.unless(c.ObservedGeneration <= generation, "the condition %s answers generation %d, and there is only %d", c.Type,
			c.ObservedGeneration, generation)
		seen[c.Type] = true
	}
}

// transitions checks that a condition tells since when it is as it is.
func (f *found) transitions(before, now []metav1.Condition) {
	for _, c := range now {
		was := meta.FindStatusCondition(before, c.Type)
		if was == nil || was.Status != c.Status {
			continue
		}
		f.unless(was.LastTransitionTime.Equal(&c.LastTransitionTime),
			"the condition %s is as it was, and claims to have changed", c.Type)
	}
}
