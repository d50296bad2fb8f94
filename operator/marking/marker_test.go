package marking_test

import (
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/marking"
)

func TestPodsOfAJobThatRunsAreMarked(t *testing.T) {
	job := fixture.KubernetesJob(batchv1.IndexedCompletion)
	text, err := written.EncodeAsk(job.UID, resize.Ask{Epoch: 2, Stage: resize.Forward, Workers: 3},
		written.Before{Size: 2})
	if err != nil {
		t.Fatal(err)
	}
	const late = `{"epoch":2,"stage":"Forward","first":2,"pods":1,"job":"job","late":true}`
	job.Annotations = map[string]string{kind.AskAnnotation: text, v1alpha1.GangAnnotation: late}
	job.Spec.Template.Annotations = map[string]string{
		v1alpha1.GangAnnotation: `{"epoch":1,"stage":"Forward","first":0,"pods":2,"job":"job","late":true}`,
	}
	pod := func(name, index string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: name, Annotations: map[string]string{v1alpha1.GangAnnotation: "as its template says"},
			Labels: map[string]string{
				batchv1.JobNameLabel: "resnet", batchv1.JobCompletionIndexAnnotation: index, v1alpha1.EpochLabel: "1",
			},
			OwnerReferences: []metav1.OwnerReference{
				{APIVersion: "batch/v1", Kind: "Job", Name: "resnet", UID: "job", Controller: new(true)},
			},
		}}
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, job, pod("second", "1"), pod("third", "2"))
	of, _ := known.ByKind("Job")
	marker := &marking.Marker{Client: o.Client, Kind: of, Marks: of.(kind.MarksPods)}
	if requests := marking.ByPod(of)(t.Context(), pod("third", "2")); len(requests) != 1 ||
		requests[0] != fixture.Request("resnet") {
		t.Errorf("it wakes %v", requests)
	}
	if _, err := marker.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"second": "1", "third": "2"} {
		is := fixture.Get(t, o, name, &corev1.Pod{})
		if is.Labels[v1alpha1.EpochLabel] != want || (is.Annotations[v1alpha1.GangAnnotation] == late) != (want == "2") {
			t.Errorf("%s is of epoch %s, and its gang is %s", name, is.Labels[v1alpha1.EpochLabel],
				is.Annotations[v1alpha1.GangAnnotation])
		}
	}
}
