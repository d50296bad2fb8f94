package why

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/golden"
	"github.com/takt-dev/takt/elastic"
)

func TestWhyAJobHasItsSize(t *testing.T) {
	unseen := "That cannot be told: you may not see the snapshot, which names all jobs."
	suspended := func(job *v1alpha1.ElasticJob) {
		job.Status.Verdict, job.Status.Message, job.Status.Workers.Running = v1alpha1.VerdictAtRisk,
			"Somebody has suspended the job: resume it, and Takt goes on with it.", 0
		job.Status.Conditions = append(job.Status.Conditions, metav1.Condition{
			Type: v1alpha1.ConditionSuspended, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonSuspendedByUser,
		})
	}
	aside := func(job *v1alpha1.ElasticJob) {
		job.Status.Prediction = v1alpha1.PredictionStatus{}
		job.Status.Message = "It cannot start: ResourceQuota gpus leaves it no GPU."
		job.Status.Workers.Running, job.Status.Summary.Slack = 0, ""
		job.Status.Conditions = append(job.Status.Conditions[:1], metav1.Condition{
			Type: v1alpha1.ConditionResizing, Status: metav1.ConditionFalse, Reason: "QuotaReached",
			Message: job.Status.Message,
		})
	}
	fresh := func(job *v1alpha1.ElasticJob) { job.Status = v1alpha1.ElasticJobStatus{} }
	for name, test := range map[string]struct {
		job    v1alpha1.ElasticJob
		change func(*Case)
	}{
		"cost": {golden.Job("resnet", func(j *v1alpha1.ElasticJob) {
			j.Status.Cost = v1alpha1.CostStatus{SoFar: "12.40", Expected: "31.00"}
		}), func(c *Case) { c.Unseen = unseen }},
		"cost_unknown": {golden.Job("resnet", func(j *v1alpha1.ElasticJob) { j.Status.Cost.SoFar = "12.40" }),
			func(c *Case) { c.Unseen = unseen }},
		"cost_in_all": {golden.Job("resnet", golden.Met, func(j *v1alpha1.ElasticJob) { j.Status.Cost.SoFar = "12.40" }),
			func(c *Case) { c.Unseen = unseen }},
		"on_track": {
			golden.Job("resnet"), func(c *Case) { c.Resizes, c.Snapshot = golden.Resizes("resnet"), golden.Snapshot() },
		},
		"at_risk":        {golden.Job("bert", golden.AtRisk), func(c *Case) { c.Snapshot = golden.Snapshot() }},
		"at_risk_unseen": {golden.Job("bert", golden.AtRisk), func(c *Case) { c.Unseen = unseen }},
		"aside":          {golden.Job("aside", golden.AtRisk, aside), func(c *Case) { c.Snapshot = golden.Snapshot() }},
		"best_effort":    {golden.Job("other", golden.BestEffort), func(c *Case) { c.Snapshot = golden.Snapshot() }},
		"waits":          {golden.Job("other", golden.Waits), func(c *Case) { c.Unseen = unseen }},
		"ended": {golden.Job("resnet", golden.Met),
			func(c *Case) { c.Resizes, c.Snapshot = golden.Resizes("resnet"), golden.Snapshot() }},
		"suspended": {golden.Job("resnet", suspended), func(c *Case) { c.Unseen = unseen }},
		"just_seen": {golden.Job("resnet", fresh), func(c *Case) { c.Unseen = unseen }},
	} {
		t.Run(name, func(t *testing.T) {
			c := Case{Job: &test.job, Now: golden.Now, Asked: test.job.Name}
			test.change(&c)
			var b strings.Builder
			if err := c.Write(&b); err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, name, b.String())
		})
	}
}

func TestWhyAJobWaitsForOthers(t *testing.T) {
	job := golden.Job("other", golden.Waits)
	job.Spec.After = []v1alpha1.Predecessor{{Name: "prepare"}, {Name: "pretrain"}}
	job.Status.After = []v1alpha1.PredecessorStatus{{Name: "prepare", SucceededAt: golden.At(-time.Hour)}}
	job.Status.Progress.PartsPerMillion = 0
	var b strings.Builder
	if err := (Case{Job: &job, Now: golden.Now}).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"What it waits for\n", "prepare has succeeded, 1h ago.",
		"pretrain has not succeeded yet: takt why pretrain tells how it stands."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, b.String())
		}
	}
}

func TestTheSameForPrograms(t *testing.T) {
	job := golden.Job("bert", golden.AtRisk)
	f := Case{Job: &job, Now: golden.Now, Snapshot: golden.Snapshot()}.Facts()
	if f.Planned == nil || f.Planned.Name != "team-a/bert" || len(f.Holders) != 3 || f.Holders[0].Job != "team-a/resnet" ||
		f.Holders[0].GPUs != 4 || f.AsOf == nil || *f.AsOf != elastic.Seconds(golden.Now.Unix()) {
		t.Errorf("it is %+v", f)
	}
}

// What a snapshot of yesterday tells is not told as if it were so now.
func TestWhatAnOldSnapshotTellsIsOfItsMoment(t *testing.T) {
	const asOf = "as of 2026-11-20 15:21Z"
	for days, want := range []bool{false, true} {
		job, s := golden.Job("bert", golden.AtRisk), golden.Snapshot()
		s.Now -= elastic.Seconds(days) * 24 * 3600
		var b strings.Builder
		if err := (Case{Job: &job, Now: golden.Now, Snapshot: s}).Write(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(strings.Fields(b.String()), " "), asOf); got != want {
			t.Errorf("of a snapshot that is %d days old it says %q: %v, want %v:\n%s", days, asOf, got, want, b.String())
		}
	}
}
