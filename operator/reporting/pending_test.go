package reporting_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// A job whose pods wait, for a volume, say, has no size to find anything out at.
func TestWhatIsSaidOfAJobWhosePodsDoNotRun(t *testing.T) {
	for name, test := range map[string]struct {
		phase corev1.PodPhase
		age   time.Duration
		want  string
	}{
		"at first": {corev1.PodPending, 10 * time.Second, "Nothing is known of its speed yet. Its pods do not run yet."},
		"for long": {corev1.PodPending, 5 * time.Minute,
			"Nothing is known of its speed yet. Its pods do not run yet, after 5m: kubectl -n team describe pod " +
				"resnet-worker-0 says why."},
		"they failed": {corev1.PodFailed, 5 * time.Minute,
			"Nothing is known of its speed yet. None of its pods runs: see kubectl -n team describe pod resnet-worker-0."},
		"they run now": {corev1.PodRunning, 5 * time.Minute, "Nothing is known of its speed yet. No progress was read yet."},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1)
			pod := fixture.Worker0(job, "node")
			pod.CreationTimestamp, pod.Status.Phase = metav1.NewTime(fixture.Start.Add(-test.age)), test.phase
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, pod, fixture.Node("node", "8"))
			status := fixture.StatusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, due time.Time) {
				known.Decide(elastic.Outcome{
					Workers: 1, Verdict: elastic.Estimating, Message: "Nothing is known of its speed yet.",
					Reason: elastic.ToBeMeasured, Why: "It has 1 worker, to find out how fast it trains.",
				}, due, fixture.Start)
			})
			if status.Message != test.want {
				t.Errorf("it says %q, want %q", status.Message, test.want)
			}
		})
	}
}
