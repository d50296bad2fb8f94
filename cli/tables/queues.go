package tables

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
)

// Queues are queues in columns.
func Queues(queues []v1alpha1.TrainingQueue, look Look) show.Columns {
	heads := []string{
		"NAME", "GUARANTEED", "LIMIT", "USED", "BORROWED", "PROMISED", "RUNNING", "WAITING", "WEIGHT", "PRIORITY", "AGE",
	}
	if look.Wide {
		heads = append(heads, "BORROWING", "NAMESPACES", "JOBS-GET", "MESSAGE")
	}
	costs := slices.ContainsFunc(queues, func(q v1alpha1.TrainingQueue) bool {
		return q.Status.Cost != v1alpha1.QueueCostStatus{}
	})
	if costs {
		heads = append(heads, "COST", "EXPECTED", "PER-DEADLINE")
	}
	table := show.Columns{Text: len(heads), Heads: [][]string{heads}}
	sorted := slices.Clone(queues)
	slices.SortFunc(sorted, func(a, b v1alpha1.TrainingQueue) int { return strings.Compare(a.Name, b.Name) })
	for _, q := range sorted {
		row := []string{
			q.Name, or(q.Spec.Guaranteed, "0"), or(q.Spec.Limit, "none"), fmt.Sprint(q.Status.Used),
			fmt.Sprint(q.Status.Borrowed), fmt.Sprint(q.Status.Promised),
			fmt.Sprint(q.Status.Running), fmt.Sprint(q.Status.Waiting), or(q.Spec.Weight, "1"), or(q.Spec.Priority, "0"),
			elastic.Shorten(elastic.Seconds(look.Now.Sub(q.CreationTimestamp.Time).Seconds())),
		}
		if look.Wide {
			message := "-"
			if c := meta.FindStatusCondition(q.Status.Conditions, v1alpha1.ConditionGuaranteed); c != nil {
				message = dash(c.Message)
			}
			row = append(row, string(q.Spec.Borrowing), namespaces(q.Spec.NamespaceSelector), jobsGet(q.Spec.Jobs), message)
		}
		if cost := q.Status.Cost; costs {
			row = append(row, dash(string(cost.SoFar)), dash(string(cost.Expected)), dash(string(cost.PerDeadlineMet)))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

func or(n *int32, otherwise string) string {
	if n == nil {
		return otherwise
	}
	return fmt.Sprint(*n)
}

// namespaces says which may use a queue.
func namespaces(s *v1alpha1.NamespaceSelector) string {
	if s == nil {
		return "all"
	}
	var parts []string
	for key, value := range s.MatchLabels {
		parts = append(parts, key+"="+string(value))
	}
	slices.Sort(parts)
	for _, e := range s.MatchExpressions {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %v", e.Key, e.Operator, e.Values)))
	}
	return strings.Join(parts, ",")
}

// jobsGet is what jobs get that do not say it themselves.
func jobsGet(class v1alpha1.ServiceClass) string {
	var gets []string
	for _, each := range []string{string(class.DeadlineAfter), string(class.Guarantee)} {
		if each != "" {
			gets = append(gets, each)
		}
	}
	if class.MaxWait != "" {
		gets = append(gets, fmt.Sprintf("waits %s at most", class.MaxWait))
	}
	return dash(strings.Join(gets, ", "))
}
