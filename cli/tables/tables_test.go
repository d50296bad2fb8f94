package tables

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/golden"
	"github.com/takt-dev/takt/told"
)

func TestJobsThatNeedToBeLookedAtAreFirst(t *testing.T) {
	starts := func(job *v1alpha1.ElasticJob) { job.Status.Workers.Running, job.Status.Workers.Desired = 1, 4 }
	fresh := func(job *v1alpha1.ElasticJob) { job.Status = v1alpha1.ElasticJobStatus{} }
	jobs := []v1alpha1.ElasticJob{
		golden.Job("done", golden.Met), golden.Job("sweep", golden.BestEffort), golden.Job("resnet", starts),
		golden.Job("new", fresh), golden.Job("bert", golden.AtRisk),
	}
	for name, look := range map[string]Look{
		"jobs": {}, "jobs_everywhere": {Namespaces: true}, "jobs_wide": {Wide: true},
	} {
		look.Now = golden.Now
		var b strings.Builder
		if err := Jobs(jobs, look).Write(&b); err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, name, b.String())
	}
	jobs[2].Status.Cost, jobs[2].Status.Summary.Cost = v1alpha1.CostStatus{SoFar: "12.40", Expected: "31.00"},
		"12.40/31.00"
	var b strings.Builder
	if err := Jobs(jobs, Look{Wide: true, Now: golden.Now}).Write(&b); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "jobs_cost", b.String())
	if got, want := told.Summary(jobs), "5 jobs, 7 workers, 1 AtRisk, 1 OnTrack, 1 BestEffort, 1 "+
		"new, 1 ended"; got != want {
		t.Errorf("in short it is %q, want %q", got, want)
	}
}

func TestAJobThatWaitsIsListedWithWhenItStarts(t *testing.T) {
	var b strings.Builder
	planned := func(job *v1alpha1.ElasticJob) {
		job.Status.Workers.Running, job.Status.Prediction.StartsAt = 0, golden.At(time.Hour)
	}
	for _, wide := range []bool{false, true} {
		if err := Jobs([]v1alpha1.ElasticJob{golden.Job("sweep", golden.Waits), golden.Job("resnet", planned)},
			Look{Wide: wide, Now: golden.Now}).Write(&b); err != nil {
			t.Fatal(err)
		}
	}
	golden.Equal(t, "jobs_that_wait", b.String())
}

func TestAJobThatStartsAfterOthersIsListedWithThem(t *testing.T) {
	after := func(job *v1alpha1.ElasticJob) {
		job.Spec.After = []v1alpha1.Predecessor{{Name: "prepare"}, {Name: "pretrain"}, {Name: "clean"}}
		job.Status.After = []v1alpha1.PredecessorStatus{{Name: "prepare"}}
	}
	row := func(change ...func(*v1alpha1.ElasticJob)) string {
		var b strings.Builder
		if err := Jobs([]v1alpha1.ElasticJob{golden.Job("sweep", append(change, after)...)},
			Look{Wide: true, Now: golden.Now}).Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if list := row(golden.Waits); !strings.Contains(list, "WAITS FOR") || !strings.Contains(list, "pretrain,clean") ||
		strings.Contains(list, "prepare") {
		t.Error(list)
	}
	if list := row(golden.Met); strings.Contains(list, "pretrain") {
		t.Errorf("it has ended, and waits for nobody:\n%s", list)
	}
}

func TestQueues(t *testing.T) {
	eight, none, two := int32(8), int32(0), int32(2)
	queues := []v1alpha1.TrainingQueue{
		{
			ObjectMeta: metav1.ObjectMeta{Name: "research", CreationTimestamp: metav1.NewTime(golden.Now.AddDate(0, 0, -3))},
			Spec: v1alpha1.TrainingQueueSpec{Guaranteed: &eight, Weight: &two, Borrowing: v1alpha1.BorrowingAllow,
				NamespaceSelector: &v1alpha1.NamespaceSelector{
					MatchLabels: map[string]v1alpha1.LabelValue{"team": "a"},
					MatchExpressions: []v1alpha1.NamespaceRequirement{
						{Key: "env", Operator: metav1.LabelSelectorOpIn, Values: []v1alpha1.LabelValue{"dev", "prod"}},
					},
				}},
			Status: v1alpha1.TrainingQueueStatus{Used: 10, Borrowed: 2, Promised: 4, Running: 3, Waiting: 1},
		},
		{
			ObjectMeta: metav1.ObjectMeta{Name: "closed", CreationTimestamp: metav1.NewTime(golden.Now.AddDate(0, 0, -1))},
			Spec: v1alpha1.TrainingQueueSpec{Limit: &none, Borrowing: v1alpha1.BorrowingForbid,
				Jobs: v1alpha1.ServiceClass{DeadlineAfter: "24h", Guarantee: v1alpha1.GuaranteePromise, MaxWait: "4h"}},
		},
	}
	for name, look := range map[string]Look{"queues": {}, "queues_wide": {Wide: true}} {
		look.Now = golden.Now
		var b strings.Builder
		if err := Queues(queues, look).Write(&b); err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, name, b.String())
	}
	queues[0].Status.Cost = v1alpha1.QueueCostStatus{SoFar: "124.00", Expected: "310.00", PerDeadlineMet: "41.33"}
	var b strings.Builder
	if err := Queues(queues, Look{Now: golden.Now}).Write(&b); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "queues_cost", b.String())
}
