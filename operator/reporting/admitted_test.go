package reporting_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/reporting"
)

// What was said of a job that may run stays, as others go by it. Its words are those of what has become of the job.
func TestAdmittedSpeaksOfWhatIs(t *testing.T) {
	const promised, planned = "The deadline is promised.", "It runs as it is planned. No deadline is promised."
	suspended := func(job *kubeflow.PyTorchJob) { job.Spec.RunPolicy.Suspend = new(true) }
	aside := func(known *memory.Job, _ time.Time) {
		known.Withhold(memory.Hindrance{Reason: memory.ReasonUnplaced, Message: "It comes to no node."}, fixture.Start)
	}
	decided := func(known *memory.Job, due time.Time) {
		known.Decide(elastic.Outcome{Workers: 1, Promised: true, Verdict: elastic.OnTrack}, due, fixture.Start)
	}
	for name, c := range map[string]struct {
		due     time.Duration
		reason  string
		message string
		job     func(*kubeflow.PyTorchJob)
		known   func(*memory.Job, time.Time)
		want    string
	}{
		"promised":                  {time.Hour, "Promised", promised, nil, nil, promised},
		"promised, by this process": {time.Hour, "Promised", promised, nil, decided, promised},
		"planned":                   {time.Hour, "Planned", planned, nil, nil, planned},
		"promised, and ended": {time.Hour, "Promised", promised, fixture.FinishedAt(fixture.Start), nil,
			"The deadline was promised."},
		"planned, and ended": {time.Hour, "Planned", planned, fixture.FinishedAt(fixture.Start), nil,
			"It was planned for. No deadline was promised."},
		"promised, and suspended": {time.Hour, "Promised", promised, suspended, nil,
			"The deadline was promised, and somebody has suspended the job since."},
		"planned, and suspended": {time.Hour, "Planned", planned, suspended, nil,
			"It may run once somebody resumes it. No deadline is promised."},
		"promised, and passed": {-time.Minute, "Promised", promised, nil, nil,
			"The deadline was promised, and has passed."},
		"promised, and just passed": {-time.Minute, "Promised", promised, nil, decided,
			"The deadline was promised, and has passed."},
		"promised, and set aside": {time.Hour, "Promised", promised, nil, aside,
			"The deadline was promised, and the job is not planned for at present."},
		"planned, and set aside": {time.Hour, "Planned", planned, nil, aside,
			"It may run, and is not planned for at present. No deadline is promised."},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(c.due))
				ej.Status.Conditions = []metav1.Condition{
					{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: c.reason, Message: c.message},
					{Type: v1alpha1.ConditionSuspended, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonNotSuspended},
				}
			})
			job := fixture.PyTorchJob("resnet", 1)
			if c.job != nil {
				c.job(job)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Node("node", "8"))
			st := fixture.StatusAsWritten(t.Context(), t, o, ej, c.known)
			is := reporting.ConditionOf(&st)
			if is.Status != metav1.ConditionTrue || is.Reason != c.reason || is.Message != c.want {
				t.Errorf("%s %s: %s", is.Status, is.Reason, is.Message)
			}
		})
	}
}
