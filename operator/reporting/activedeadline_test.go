package reporting_test

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// A job that its controller ends before it is done will not end when it is told to, whether it has a deadline or not.
// This one takes six hours.
func TestAJobThatIsEndedBeforeItIsDone(t *testing.T) {
	for name, c := range map[string]struct {
		due, lasts time.Duration
		says       string
	}{
		"without a deadline":           {0, 3 * time.Hour, "whether it is done or not: raise"},
		"without one, and late enough": {0, 8 * time.Hour, ""},
		"before its deadline":          {7 * time.Hour, 3 * time.Hour, "or not, and so before its deadline: raise"},
		"after its deadline":           {2 * time.Hour, 3 * time.Hour, "whether it is done or not: raise"},
		"after both":                   {7 * time.Hour, 8 * time.Hour, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := fixture.Watch(t, fixture.Counts, func(ej *v1alpha1.ElasticJob) {
				if ej.Spec.Deadline = ""; c.due > 0 {
					ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(c.due))
				}
			})
			job := fixture.Get(t, w.Rooms, w.Job, &kubeflow.PyTorchJob{})
			job.Spec.RunPolicy.ActiveDeadlineSeconds = new(int64(c.lasts.Seconds()))
			job.Status.StartTime = new(metav1.NewTime(fixture.Start))
			if err := w.Rooms.Client.Update(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			w.Minutes(10, 0)
			st := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
			if says := strings.Contains(st.Message, "The job is ended"); says != (c.says != "") ||
				!strings.Contains(st.Message, c.says) {
				t.Errorf("%s, ETA %s: %s", st.Verdict, st.Prediction.ETA, st.Message)
			}
		})
	}
}
