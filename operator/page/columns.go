package page

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/told"
)

// key is what jobs are sorted by: by a text, or by a number. Those that have neither are last.
type key struct {
	none   bool
	text   string
	number float64
}

// columns are those that jobs can be sorted by.
var columns = map[string]func(*v1alpha1.ElasticJob) key{
	"job":      func(j *v1alpha1.ElasticJob) key { return key{text: j.Namespace + "/" + j.Name} },
	"queue":    func(j *v1alpha1.ElasticJob) key { return key{text: j.Spec.Queue} },
	"workers":  func(j *v1alpha1.ElasticJob) key { return key{number: float64(j.Status.Workers.Running)} },
	"progress": func(j *v1alpha1.ElasticJob) key { return key{number: float64(j.Status.Progress.PartsPerMillion)} },
	"expected": func(j *v1alpha1.ElasticJob) key {
		return moment(cmp.Or(j.Status.Prediction.ETA, j.Status.Prediction.StartsAt))
	},
	"deadline": func(j *v1alpha1.ElasticJob) key { return moment(j.Status.Deadline) },
	"slack": func(j *v1alpha1.ElasticJob) key {
		slack, known := told.Slack(j)
		return key{none: !known, number: slack.Seconds()}
	},
	"cost": func(j *v1alpha1.ElasticJob) key {
		amount, err := strconv.ParseFloat(string(j.Status.Cost.SoFar), 64)
		return key{none: err != nil, number: amount}
	},
}

func moment(at v1alpha1.Time) key {
	t, err := at.Time()
	return key{none: err != nil, number: float64(t.Unix())}
}

// sorted are jobs as the query wants them. What they are sorted by is reckoned once for each.
func (q query) sorted(jobs []v1alpha1.ElasticJob) []v1alpha1.ElasticJob {
	jobs = told.Urgent(jobs)
	of, known := columns[q.Sort]
	if !known {
		return jobs
	}
	type keyed struct {
		key
		job *v1alpha1.ElasticJob
	}
	all := make([]keyed, len(jobs))
	for i := range jobs {
		all[i] = keyed{of(&jobs[i]), &jobs[i]}
	}
	slices.SortStableFunc(all, func(a, b keyed) int {
		if a.none != b.none {
			return map[bool]int{true: 1, false: -1}[a.none]
		}
		order := cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.number, b.number))
		if q.Down {
			return -order
		}
		return order
	})
	sorted := make([]v1alpha1.ElasticJob, len(all))
	for i := range all {
		sorted[i] = *all[i].job
	}
	return sorted
}
