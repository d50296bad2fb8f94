package reporting_test

import (
	"math"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
)

// A deadline that has passed hides nothing of what is the matter with a job.
func TestWhatIsSaidAfterTheDeadline(t *testing.T) {
	const passed = "Its deadline has passed, and it is not finished. "
	end := func(in time.Duration) *elastic.Seconds { return new(coretime.Seconds(fixture.Start.Add(in))) }
	decided := func(o elastic.Outcome) func(*memory.Job, time.Time) {
		return func(known *memory.Job, due time.Time) { known.Decide(o, due, fixture.Start) }
	}
	for name, c := range map[string]struct {
		after bool
		job   func(*kubeflow.PyTorchJob)
		pod   corev1.PodPhase
		known func(*memory.Job, time.Time)
		want  string
	}{
		"it trains": {false, nil, corev1.PodRunning, decided(elastic.Outcome{Workers: 1, ExpectedEnd: end(time.Hour)}),
			"It goes on as best-effort. It is expected to end at 2026-11-21T13:00:00Z. No progress was read yet."},
		"its end is past": {false, nil, corev1.PodRunning,
			decided(elastic.Outcome{Workers: 1, ExpectedEnd: end(-time.Minute)}),
			"It goes on as best-effort. No progress was read yet."},
		"it waits": {false, fixture.SuspendedAtFirst, "", decided(elastic.Outcome{Why: "There is no room for it."}),
			"It is best-effort from now on. There is no room for it."},
		"it waits, and is to start": {false, fixture.SuspendedAtFirst, "",
			decided(elastic.Outcome{Why: "There is no room for it.", ExpectedEnd: end(2 * time.Hour)}),
			"It is best-effort from now on. It is expected to end at 2026-11-21T14:00:00Z. There is no room for it."},
		"its pods do not run": {false, nil, corev1.PodPending, decided(elastic.Outcome{Workers: 1}),
			"It is best-effort from now on. Its pods do not run yet, after 1h: kubectl -n team describe pod " +
				"resnet-worker-0 says why."},
		"it is hindered": {false, nil, corev1.PodRunning, func(known *memory.Job, due time.Time) {
			decided(elastic.Outcome{Workers: 1})(known, due)
			known.Withhold(memory.Hindrance{Reason: memory.ReasonByHand, Message: "Its size stays."}, fixture.Start)
		}, "It goes on as best-effort. No progress was read yet. Its size stays."},
		"it is set aside": {false, fixture.SuspendedAtFirst, "", func(known *memory.Job, _ time.Time) {
			known.Withhold(memory.Hindrance{Reason: memory.ReasonNoNode, Message: "No node can run it."}, fixture.Start)
		}, "No node can run it."},
		"it is blocked": {true, fixture.SuspendedAtFirst, "", nil,
			"It waits for first to succeed, and there is no ElasticJob of that name in namespace team: submit that job; or, " +
				"if it has succeeded before, take its name out of spec.after of this ElasticJob."},
		"nothing is planned yet": {false, fixture.SuspendedAtFirst, "", nil, "It is best-effort from now on."},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(-10 * time.Minute))
				if c.after {
					ej.Spec.After = []v1alpha1.Predecessor{{Name: "first"}}
				}
			})
			job := fixture.PyTorchJob("resnet", 1)
			if c.job != nil {
				c.job(job)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Node("node", "8"))
			if c.pod != "" {
				pod := fixture.Worker0(job, "node")
				pod.Status.Phase, pod.CreationTimestamp = c.pod, metav1.NewTime(fixture.Start.Add(-time.Hour))
				if err := o.Client.Create(t.Context(), pod); err != nil {
					t.Fatal(err)
				}
			}
			st := fixture.StatusAsWritten(t.Context(), t, o, ej, c.known)
			if st.Verdict != v1alpha1.VerdictMissed || st.Message != passed+c.want {
				t.Errorf("%s: %s", st.Verdict, st.Message)
			}
		})
	}
}

// Nobody can tell when a job ends that hangs, or that has told all of its work and still runs.
func TestNoEndIsToldAfterTheDeadlineOfAJobThatMayNotEnd(t *testing.T) {
	for name, c := range map[string]struct {
		done func(minutes float64) float64 // of 60
		says string
		eta  bool
	}{
		"it has told all": {func(m float64) float64 { return math.Min(60, math.Floor(m*10)) },
			"It goes on as best-effort. It has told all of its work, at 12:06 UTC, and still runs", false},
		"it hangs": {func(m float64) float64 { return math.Min(12, math.Floor(m)) },
			"It is best-effort from now on. ", true},
		"it trains": {math.Floor, "It goes on as best-effort. It is expected to end", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := fixture.Watch(t, func(seconds float64) (progress.Sample, error) {
				return progress.Sample{Done: c.done(seconds / 60), Total: 60, Unit: "epochs"}, nil
			}, func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(20 * time.Minute))
			})
			w.Minutes(35, 0)
			st := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
			if st.Verdict != v1alpha1.VerdictMissed || !strings.Contains(st.Message, c.says) ||
				(st.Prediction.ETA != "") != c.eta {
				t.Errorf("%s, ETA %q: %s", st.Verdict, st.Prediction.ETA, st.Message)
			}
			if strings.Contains(st.Message, "expected to end") != (name == "it trains") {
				t.Errorf("%s", st.Message)
			}
		})
	}
}
