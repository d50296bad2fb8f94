package told

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// Verdicts orders jobs that go on: those that are late or in doubt before those that are well.
var Verdicts = []v1alpha1.Verdict{
	v1alpha1.VerdictMissed, v1alpha1.VerdictInfeasible, v1alpha1.VerdictAtRisk, v1alpha1.VerdictLeftAlone,
	v1alpha1.VerdictEstimating, v1alpha1.VerdictOnTrack, v1alpha1.VerdictBestEffort,
}

// Urgent sorts jobs: those that go on by their verdict and how much time they have, then those that have ended.
func Urgent(jobs []v1alpha1.ElasticJob) []v1alpha1.ElasticJob {
	type ranked struct {
		job   *v1alpha1.ElasticJob
		rank  int
		slack time.Duration
	}
	all := make([]ranked, len(jobs)) // reckoned once for each, as thousands are compared often
	for i := range jobs {
		slack, _ := Slack(&jobs[i])
		all[i] = ranked{&jobs[i], rank(&jobs[i]), slack}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.slack, b.slack),
			strings.Compare(a.job.Namespace, b.job.Namespace), strings.Compare(a.job.Name, b.job.Name))
	})
	sorted := make([]v1alpha1.ElasticJob, len(all))
	for i, each := range all {
		sorted[i] = *each.job
	}
	return sorted
}

func rank(job *v1alpha1.ElasticJob) int {
	if job.Status.Over() {
		return len(Verdicts) + 1
	}
	if at := slices.Index(Verdicts, job.Status.Verdict); at >= 0 {
		return at
	}
	return len(Verdicts)
}

// Slack is the time between the expected end and the deadline, where there are both.
func Slack(job *v1alpha1.ElasticJob) (time.Duration, bool) {
	deadline, err := job.Status.Deadline.Time()
	if err != nil {
		return 0, false
	}
	eta, err := job.Status.Prediction.ETA.Time()
	if err != nil {
		return 0, false
	}
	return deadline.Sub(eta), true
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
	for _, v := range Verdicts {
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
