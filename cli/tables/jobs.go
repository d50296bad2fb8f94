package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
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
		if look.costs = slices.ContainsFunc(jobs, func(j v1alpha1.ElasticJob) bool { return j.Status.Cost.SoFar != "" }); look.costs {
			heads = append(heads, "COST")
		}
		if look.chains = slices.ContainsFunc(jobs, func(j v1alpha1.ElasticJob) bool { return len(j.Spec.After) > 0 }); look.chains {
			heads = append(heads, "WAITS FOR")
		}
		heads = append(heads, "MESSAGE")
	}
	table := show.Columns{Text: len(heads), Heads: [][]string{heads}}
	for _, job := range Urgent(jobs) {
		table.Rows = append(table.Rows, look.row(&job))
	}
	return table
}

func (l Look) row(job *v1alpha1.ElasticJob) []string {
	st := job.Status
	size := fmt.Sprintf("%d/%d", st.Workers.Running, st.Workers.Max)
	if st.Workers.Desired != st.Workers.Running && !job.Status.Over() {
		size = fmt.Sprintf("%d→%d/%d", st.Workers.Running, st.Workers.Desired, st.Workers.Max)
	}
	row := []string{
		job.Name, dash(job.Spec.Queue), size, dash(st.Summary.Progress), l.from(st.Deadline), l.expected(st.Prediction),
		dash(st.Summary.Slack), dash(string(st.Verdict)), elastic.Shorten(elastic.Seconds(l.Now.Sub(job.CreationTimestamp.Time).Seconds())),
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
func (l Look) from(at v1alpha1.Time) string {
	moment, err := at.Time()
	if err != nil {
		return "-"
	}
	if ago := l.Now.Sub(moment); ago > 0 {
		return elastic.Shorten(elastic.Seconds(ago.Seconds())) + " ago"
	}
	return "in " + elastic.Shorten(elastic.Seconds(moment.Sub(l.Now).Seconds()))
}

func dash(text string) string { return cmp.Or(text, "-") }

// urgency orders jobs that go on: those that are late or in doubt before those that are well.
var urgency = []v1alpha1.Verdict{
	v1alpha1.VerdictMissed, v1alpha1.VerdictInfeasible, v1alpha1.VerdictAtRisk, v1alpha1.VerdictLeftAlone,
	v1alpha1.VerdictEstimating, v1alpha1.VerdictOnTrack, v1alpha1.VerdictBestEffort,
}

// Urgent sorts jobs: those that go on by their verdict and how much time they have, then those that have ended.
func Urgent(jobs []v1alpha1.ElasticJob) []v1alpha1.ElasticJob {
	rank := func(job *v1alpha1.ElasticJob) int {
		if job.Status.Over() {
			return len(urgency) + 1
		}
		if at := slices.Index(urgency, job.Status.Verdict); at >= 0 {
			return at
		}
		return len(urgency)
	}
	sorted := slices.Clone(jobs)
	slices.SortStableFunc(sorted, func(a, b v1alpha1.ElasticJob) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(slack(&a), slack(&b)),
			strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return sorted
}

// slack is the time between the ETA and the deadline.
func slack(job *v1alpha1.ElasticJob) time.Duration {
	deadline, err := job.Status.Deadline.Time()
	if err != nil {
		return 0
	}
	eta, err := job.Status.Prediction.ETA.Time()
	if err != nil {
		return 0
	}
	return deadline.Sub(eta)
}

// Summary is how all jobs stand, in a line.
func Summary(jobs []v1alpha1.ElasticJob) string {
	counts, ended, workers := map[v1alpha1.Verdict]int{}, 0, int32(0)
	for i := range jobs {
		if jobs[i].Status.Over() {
			ended++
			continue
		}
		counts[jobs[i].Status.Verdict]++
		workers += jobs[i].Status.Workers.Running
	}
	parts := []string{elastic.CountOf(len(jobs), "job"), elastic.Count(elastic.Workers(workers))}
	for _, v := range urgency {
		if counts[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	if counts[""] > 0 {
		parts = append(parts, fmt.Sprintf("%d new", counts[""]))
	}
	if ended > 0 {
		parts = append(parts, fmt.Sprintf("%d ended", ended))
	}
	return strings.Join(parts, ", ")
}
