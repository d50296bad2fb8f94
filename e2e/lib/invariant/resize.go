package invariant

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// order is how far a Resize is with each condition. What is equal excludes each other.
var order = map[string]int{
	v1alpha1.ConditionProposed:    1,
	v1alpha1.ConditionPlaced:      2,
	v1alpha1.ConditionReady:       3,
	v1alpha1.ConditionCommitted:   4,
	v1alpha1.ConditionRollingBack: 5,
	v1alpha1.ConditionRestarting:  6,
	v1alpha1.ConditionSucceeded:   7,
	v1alpha1.ConditionRolledBack:  7,
	v1alpha1.ConditionFailed:      7,
}

// place is how far a Resize is with a condition. A cold one is Committed, which stops the job, before
// its new pods can have a place.
func place(spec v1alpha1.ResizeSpec, condition string) float64 {
	if condition == v1alpha1.ConditionCommitted && spec.Mode == v1alpha1.ResizeCold && spec.From > 0 && spec.To > 0 {
		return float64(order[v1alpha1.ConditionProposed]) + 0.5
	}
	return float64(order[condition])
}

// Resize checks the record of one change of size: it only ever grows, in order, and ends once.
func Resize(before, now *v1alpha1.Resize) []string {
	f := &found{name: "Resize " + now.Name}
	var known []string
	for name := range order {
		known = append(known, name)
	}
	conditions := now.Status.Conditions
	f.conditions(now.Generation, conditions, known)
	for i, c := range conditions {
		f.unless(c.Status == metav1.ConditionTrue, "the condition %s is %s", c.Type, c.Status)
		if i > 0 {
			f.unless(place(now.Spec, conditions[i-1].Type) < place(now.Spec, c.Type), "%s comes after %s", c.Type,
				conditions[i-1].Type)
			f.unless(!c.LastTransitionTime.Before(&conditions[i-1].LastTransitionTime),
				"%s is older than what came before it", c.Type)
		}
	}
	// Its sentence is of a size that the job had not got when it was made, and perhaps never gets.
	f.unless(!itHas.MatchString(now.Spec.Message), "it is a change, and says %q", now.Spec.Message)
	if before == nil || before.UID != now.UID {
		return f.violations
	}
	f.unless(equality.Semantic.DeepEqual(before.Spec, now.Spec), "its spec has changed")
	was := before.Status.Conditions
	f.unless(len(was) <= len(conditions) && slices.Equal(was, conditions[:min(len(was), len(conditions))]),
		"what it had on record has changed: it was %v and is %v", types(was), types(conditions))
	f.unless(!over(before) || len(was) == len(conditions), "it was over, and goes on")
	return f.violations
}

func types(conditions []metav1.Condition) []string {
	var all []string
	for _, c := range conditions {
		all = append(all, c.Type)
	}
	return all
}

// over says whether a Resize has come to its end.
func over(r *v1alpha1.Resize) bool {
	n := len(r.Status.Conditions)
	return n > 0 && order[r.Status.Conditions[n-1].Type] == 7
}

// Resizes checks all Resizes of a namespace at one moment: of one job, one at a time, each begun after
// the one before was over.
func Resizes(all []*v1alpha1.Resize) []string {
	var violations []string
	before := map[string]*v1alpha1.Resize{}
	inOrder := slices.SortedFunc(slices.Values(all), func(a, b *v1alpha1.Resize) int {
		return cmp.Compare(a.Spec.Epoch, b.Spec.Epoch)
	})
	for _, r := range inOrder {
		if r.DeletionTimestamp != nil {
			continue
		}
		of := r.Spec.ElasticJob
		if owner := metav1.GetControllerOf(r); owner != nil {
			of = string(owner.UID) // another one may have had its name
		}
		was := before[of]
		before[of] = r
		if was == nil {
			continue
		}
		if !over(was) {
			violations = append(violations, fmt.Sprintf("ElasticJob %s: Resizes %s and %s are under way at the same time",
				r.Spec.ElasticJob, was.Name, r.Name))
			continue
		}
		end := was.Status.Conditions[len(was.Status.Conditions)-1].LastTransitionTime
		if r.CreationTimestamp.Before(&end) {
			violations = append(violations, fmt.Sprintf("ElasticJob %s: Resize %s was made at %s, and %s was over at %s",
				r.Spec.ElasticJob, r.Name, r.CreationTimestamp.UTC().Format(time.TimeOnly), was.Name,
				end.UTC().Format(time.TimeOnly)))
		}
	}
	return violations
}
