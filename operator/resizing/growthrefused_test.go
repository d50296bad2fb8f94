package resizing_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
)

// Of a job that trains it is known, too, whether its new pods are refused, or whether nobody makes them.
func TestWhyAJobThatTrainsGetsNoNewPods(t *testing.T) {
	for name, test := range map[string]struct {
		event string
		want  resize.Reason
		says  string
	}{
		"they are refused": {"Error creating: exceeded quota: gpus", resize.PodsMissing, `says: "exceeded quota: gpus".`},
		"nobody says why":  {"", resize.NobodyAnswered, "See that training-operator runs"},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
			r := fixture.ResizeOf(ej, 3, 3, 4)
			objects := append(wrappedWorkers(job, 3, "2", letInFor2), ej, job, r, fixture.Node("node", "8"))
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			step(t, o, "resnet-3")
			if test.event != "" {
				if err := o.Client.Create(t.Context(), &corev1.Event{
					ObjectMeta: metav1.ObjectMeta{Namespace: job.Namespace, Name: "refused"}, Type: corev1.EventTypeWarning,
					InvolvedObject: corev1.ObjectReference{Name: job.Name, UID: job.UID},
					Reason:         "FailedCreatePod", Message: test.event,
					LastTimestamp: metav1.NewTime(fixture.Start.Add(time.Minute)),
				}); err != nil {
					t.Fatal(err)
				}
			}
			for _, at := range []time.Duration{time.Minute, 2 * time.Minute} {
				o.Now = func() time.Time { return fixture.Start.Add(at) }
				step(t, o, "resnet-3")
			}
			back := meta.FindStatusCondition(fixture.Get(t, o, "resnet-3", &v1alpha1.Resize{}).Status.Conditions,
				v1alpha1.ConditionRollingBack)
			if back == nil || back.Reason != string(test.want) || !strings.Contains(back.Message, test.says) {
				t.Errorf("it goes back: %+v, want %s", back, test.want)
			}
		})
	}
}
