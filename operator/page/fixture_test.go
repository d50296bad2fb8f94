package page

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/cached"
)

// now is the moment of all that is shown.
var now = time.Date(2026, 11, 21, 15, 21, 0, 0, time.UTC)

func at(d time.Duration) v1alpha1.Time { return v1alpha1.NewTime(now.Add(d)) }

// serve serves the page of a cluster that has these objects.
func serve(t testing.TB, objects ...client.Object) *Server {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	reader := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).WithIndex(&v1alpha1.Resize{},
		cached.ByElasticJob,
		func(o client.Object) []string { return []string{o.(*v1alpha1.Resize).Spec.ElasticJob} }).Build()
	s, err := New(reader, nil, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// get is the answer to a path with a query.
func get(t testing.TB, s http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	return answer
}

// page is the text of a page that must be there.
func page(t testing.TB, s http.Handler, path string) string {
	t.Helper()
	answer := get(t, s, path)
	if answer.Code != http.StatusOK {
		t.Fatalf("%s is answered by %d: %s", path, answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// elasticJob is one that trains and is in time, but for what is changed.
func elasticJob(namespace, name string, change ...func(*v1alpha1.ElasticJob)) *v1alpha1.ElasticJob {
	percent := int32(93)
	job := &v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, CreationTimestamp: metav1.NewTime(now.Add(-2 * time.Hour)),
		},
		Spec: v1alpha1.ElasticJobSpec{
			JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: name}, Queue: "research",
		},
		Status: v1alpha1.ElasticJobStatus{
			Verdict: v1alpha1.VerdictOnTrack, Message: "The deadline is promised. At worst it will be met with 25m to spare.",
			Deadline: at(159 * time.Minute), Promised: at(159 * time.Minute), Pool: "A100",
			Workers:  v1alpha1.WorkerStatus{Running: 4, Desired: 4, Min: 1, Max: 8},
			Progress: v1alpha1.ProgressStatus{PartsPerMillion: 420000, Source: "Logs", ObservedAt: at(-10 * time.Second)},
			Prediction: v1alpha1.PredictionStatus{
				ETA: at(2 * time.Hour), Earliest: at(112 * time.Minute), Latest: at(134 * time.Minute), OnTimePercent: &percent,
			},
			Cost: v1alpha1.CostStatus{SoFar: "12.40", Expected: "31.00"},
			Summary: v1alpha1.ElasticJobSummary{
				Job: "PyTorchJob/" + name, Workers: "4/8", Progress: "42%", Slack: "39m", Cost: "12.40/31.00",
			},
			Conditions: []metav1.Condition{
				{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: "Promised",
					Message: "The deadline is promised."},
				{Type: v1alpha1.ConditionRunning, Status: metav1.ConditionTrue, Reason: "WorkersRun",
					LastTransitionTime: metav1.NewTime(now.Add(-110 * time.Minute))},
			},
		},
	}
	for _, c := range change {
		c(job)
	}
	return job
}

func atRisk(job *v1alpha1.ElasticJob) {
	st := &job.Status
	st.Verdict, st.Promised, st.Summary.Slack = v1alpha1.VerdictAtRisk, "", "-2h39m"
	st.Message = "It takes at least 11h6m of GPU time, and its deadline is in 2h39m: there is no room for that beside " +
		"what is planned for others. It will be in time only if GPUs become free."
	st.Workers.Running, st.Workers.Desired = 2, 6
	st.Prediction = v1alpha1.PredictionStatus{
		ETA: at(318 * time.Minute), Earliest: at(291 * time.Minute), Latest: at(350 * time.Minute),
	}
}

func waits(job *v1alpha1.ElasticJob) {
	job.Status = v1alpha1.ElasticJobStatus{
		Verdict: v1alpha1.VerdictBestEffort,
		Message: "It has no deadline: it runs on what others leave. It waits: others need the GPUs more.",
		Workers: v1alpha1.WorkerStatus{Max: 8, Min: 1}, Prediction: v1alpha1.PredictionStatus{StartsAt: at(99 * time.Minute)},
	}
}

func met(job *v1alpha1.ElasticJob) {
	st := &job.Status
	st.Verdict, st.Message = v1alpha1.VerdictMet, "It finished 1h before its deadline."
	st.Deadline, st.Prediction = at(30*time.Minute), v1alpha1.PredictionStatus{ETA: at(-30 * time.Minute)}
	st.Workers.Running, st.Workers.Desired, st.Progress.PartsPerMillion, st.Summary.Progress, st.Summary.Slack = 0, 0, 1e6,
		"100%", "1h"
	st.Conditions = append(st.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue, Reason: "JobFinished",
		LastTransitionTime: metav1.NewTime(now.Add(-30 * time.Minute)),
	})
}

// resized are a start and growths of a job.
func resized(namespace, job string, sizes ...int32) (all []client.Object) {
	from := int32(0)
	for i, to := range sizes {
		begun := now.Add(-112*time.Minute + time.Duration(i)*27*time.Minute)
		all = append(all, &v1alpha1.Resize{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: namespace, Name: fmt.Sprintf("%s-%d", job, i+1), CreationTimestamp: metav1.NewTime(begun),
			},
			Spec: v1alpha1.ResizeSpec{ElasticJob: job, Epoch: int64(i + 1), From: from, To: to, Mode: v1alpha1.ResizeLive,
				Reason: v1alpha1.ReasonDeadlineRisk},
			Status: v1alpha1.ResizeStatus{Reached: v1alpha1.ConditionSucceeded,
				Cost: v1alpha1.ResizeCost{Pause: "9s", Lost: "12s"}, Conditions: []metav1.Condition{
					{Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue,
						LastTransitionTime: metav1.NewTime(begun.Add(time.Minute))},
				}},
		})
		from = to
	}
	return all
}

func trainingQueue(name string, guaranteed int32) *v1alpha1.TrainingQueue {
	return &v1alpha1.TrainingQueue{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.TrainingQueueSpec{Guaranteed: &guaranteed},
		Status: v1alpha1.TrainingQueueStatus{
			Used: 10, Borrowed: 2, Promised: 4, Running: 3, Waiting: 1,
			Cost: v1alpha1.QueueCostStatus{SoFar: "124.00", Expected: "310.00", PerDeadlineMet: "15.50"},
		},
	}
}

// crowd is so many jobs of ten namespaces.
func crowd(count int) (all []client.Object) {
	kinds := []func(*v1alpha1.ElasticJob){func(*v1alpha1.ElasticJob) {}, atRisk, waits, met, func(*v1alpha1.ElasticJob) {}}
	for i := range count {
		job := elasticJob(fmt.Sprintf("team-%c", 'a'+i%10), fmt.Sprintf("job-%04d", i), kinds[i%len(kinds)])
		all = append(all, job)
	}
	return all
}

// rows is how many jobs a page of all of them lists.
func rows(text string) int { return strings.Count(text, `<td class="number progress">`) }
