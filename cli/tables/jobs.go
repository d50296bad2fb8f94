package tables

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/told"
)

// Look says which columns there are.
type Look struct {
	Namespaces bool // each with its namespace
	Wide       bool
	Now        time.Time

	costs, chains bool // some job says what it costs, or which others it starts after
}

// Jobs are jobs in columns, those first that need to be looked at.
func Jobs(jobs []v1alpha1.ElasticJob, look Look) show.Columns {
	heads := []string{"NAME", "QUEUE", "WORKERS", "PROGRESS", "DEADLINE", "EXPECTED", "SLACK", "VERDICT", "AGE"}
	if look.Namespaces {
		heads = slices.Insert(heads, 0, "NAMESPACE")
	}
	if look.Wide {
		heads = append(heads, "JOB", "PROMISED", "POOL", "STARTS")
		if look.costs = slices.ContainsFunc(jobs,
			func(j v1alpha1.ElasticJob) bool { return j.Status.Cost.SoFar != "" }); look.costs {
			heads = append(heads, "COST")
		}
		if look.chains = slices.ContainsFunc(jobs,
			func(j v1alpha1.ElasticJob) bool { return len(j.Spec.After) > 0 }); look.chains {
			heads = append(heads, "WAITS FOR")
		}
		heads = append(heads, "MESSAGE")
	}
	table := show.Columns{Text: len(heads), Heads: [][]string{heads}}
	for _, job := range told.Urgent(jobs) {
		table.Rows = append(table.Rows, look.row(&job))
	}
	return table
}

func (l Look) row(job *v1alpha1.ElasticJob) []string {
	st := job.Status
	row := []string{
		job.Name, dash(job.Spec.Queue), told.Workers(job), dash(st.Summary.Progress), l.from(st.Deadline),
		l.expected(st.Prediction),
		dash(st.Summary.Slack), dash(string(st.Verdict)),
		elastic.Shorten(elastic.Seconds(l.Now.Sub(job.CreationTimestamp.Time).Seconds())),
	}
	if l.Namespaces {
		row = slices.Insert(row, 0, job.Namespace)
	}
	if l.Wide {
		promised := "no"
		if st.Promised != "" {
			promised = "yes"
		}
		row = append(row, job.Spec.JobRef.String(), promised, dash(st.Pool), l.from(st.Prediction.StartsAt))
		if l.costs {
			row = append(row, dash(st.Summary.Cost))
		}
		if l.chains {
			row = append(row, dash(strings.Join(job.Awaited(), ",")))
		}
		row = append(row, dash(st.Message))
	}
	return row
}

// expected is when a job is expected to end; or to start, where that alone is known.
func (l Look) expected(is v1alpha1.PredictionStatus) string {
	if is.ETA == "" && is.StartsAt != "" {
		return "starts " + l.from(is.StartsAt)
	}
	return l.from(is.ETA)
}

// from is a moment as it is reckoned from now.
func (l Look) from(at v1alpha1.Time) string { return dash(told.FromNow(l.Now, at)) }

func dash(text string) string { return cmp.Or(text, "-") }
