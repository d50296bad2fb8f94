package planning

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// What is free is spent once, and no more of it than the size takes that a job really gets.
func TestWhatIsFreeIsSpentOnce(t *testing.T) {
	limits := corev1.ResourceList{"requests.nvidia.com/gpu": resource.MustParse("6")}
	quota := &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "gpus"},
		Spec:       corev1.ResourceQuotaSpec{Hard: limits}, Status: corev1.ResourceQuotaStatus{Hard: limits},
	}
	template := oneGPUEach()
	free := &freeGPUs{
		GPUs:    map[string]elastic.GPUs{"A100": 8},
		budgets: map[string]*capacity.Budget{"team": capacity.NewBudget([]*corev1.ResourceQuota{quota})},
		patient: func(*view.Subject) bool { return false },
	}
	s := &view.Subject{ElasticJob: elasticJobOf("resnet"), Job: adapter.Job{Worker: &template}}
	sizes := func(workers ...elastic.Workers) elastic.Job {
		job := elastic.Job{Pool: "A100", GPUsPerWorker: 1}
		for _, w := range workers {
			job.Sizes = append(job.Sizes, elastic.Size{Workers: w})
		}
		return job
	}
	for i, step := range []struct {
		job      elastic.Job
		from, to elastic.Workers
		want     elastic.Workers
		why      string
	}{
		{sizes(1, 2, 4), 2, 1, 1, ""},
		{sizes(1, 4, 8), 0, 8, 4, memory.ReasonQuota}, // 6 are allowed, and there is no such size: 2 of them stay
		{sizes(1, 2, 3), 1, 3, 3, ""},
		{sizes(1, 2), 0, 2, 0, memory.ReasonQuota},
	} {
		got, why := free.take(s, step.job, elastic.Resize{From: step.from, To: step.to})
		if got != step.want || why.Reason != step.why {
			t.Errorf("step %d: %d workers, because of %+v; want %d, because of %q", i, got, why, step.want, step.why)
		}
	}
	free.budgets["team"] = capacity.NewBudget(nil)
	if got, why := free.take(s, sizes(1, 2, 4), elastic.Resize{From: 0, To: 4}); got != 2 || why.Reason != memory.ReasonNotFree {
		t.Errorf("%d workers, because of %+v; want the 2 for which GPUs are free", got, why)
	}
	free.patient = func(*view.Subject) bool { return true }
	if got, _ := free.take(s, sizes(1, 2, 4), elastic.Resize{From: 2, To: 4}); got != 2 {
		t.Errorf("%d workers, though the rest is about to be given back", got)
	}
}
