package operator

import (
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/marking"
	"github.com/takt-dev/takt/operator/telling"
)

func TestAJobHasAnElasticJobIfItsPodsAreNumbered(t *testing.T) {
	of, _ := known.ByKind("Job")
	for mode, want := range map[batchv1.CompletionMode]int{batchv1.IndexedCompletion: 1, batchv1.NonIndexedCompletion: 0} {
		job := fixture.KubernetesJob(mode)
		o := fixture.Stopped(t, interceptor.Funcs{}, job)
		result, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet"))
		if err != nil {
			t.Fatal(err)
		}
		var all v1alpha1.ElasticJobList
		if err := o.Client.List(t.Context(), &all); err != nil || len(all.Items) != want {
			t.Fatalf("%s: %d ElasticJobs, want %d: %v", mode, len(all.Items), want, err)
		}
		if again := result.RequeueAfter == telling.EventLives; again != (want == 0) {
			t.Errorf("%s: it is told again after %v", mode, result.RequeueAfter)
		}
		if want > 0 && all.Items[0].Spec.JobRef != (v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job",
			Name: "resnet"}) {
			t.Errorf("it is for %+v", all.Items[0].Spec.JobRef)
		}
		if changes.JobMatters(of)(nil, job) != (want > 0) {
			t.Errorf("%s: it wakes the planner: %t", mode, want == 0)
		}
	}
}

func TestPodsOfAJobThatRunsAreMarked(t *testing.T) {
	job := fixture.KubernetesJob(batchv1.IndexedCompletion)
	text, err := written.EncodeAsk(job.UID, resize.Ask{Epoch: 2, Stage: resize.Forward, Workers: 3}, 2)
	if err != nil {
		t.Fatal(err)
	}
	const late = `{"epoch":2,"stage":"Forward","first":2,"pods":1,"job":"job","late":true}`
	job.Annotations = map[string]string{kind.AskAnnotation: text, v1alpha1.GangAnnotation: late}
	job.Spec.Template.Annotations = map[string]string{v1alpha1.GangAnnotation: `{"epoch":1,"stage":"Forward","first":0,"pods":2,"job":"job","late":true}`}
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
	marker := &marking.Marker{Client: o.Client, Kind: of, Late: of.(kind.Late)}
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

// Who is told of a Job of Kubernetes is told by its own words.
func TestAnIndexedJobIsSpokenOfByItsOwnWords(t *testing.T) {
	job := fixture.KubernetesJob(batchv1.IndexedCompletion)
	job.Spec.Suspend, job.Spec.ActiveDeadlineSeconds = new(true), new(int64(600))
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.JobRef = v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job", Name: "resnet"}
		ej.Spec.Guarantee, ej.Spec.Deadline = v1alpha1.GuaranteeBestEffort, v1alpha1.NewTime(fixture.Start.Add(6*time.Hour))
	})
	o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
	fixture.Plans(t, o)
	if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
		t.Fatal(err)
	}
	says := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status.Message
	if !strings.Contains(says, "raise spec.activeDeadlineSeconds, or remove it") {
		t.Errorf("it is told: %s", says)
	}
	s, err := o.View.Look(t.Context(), ej)
	if err != nil {
		t.Fatal(err)
	}
	if by := o.Resizer.Observed(t.Context(), s,
		fixture.ResizeOf(ej, 1, 1, 2)).Job.Controller; by != "kube-controller-manager" {
		t.Errorf("its pods are said to be made by %q", by)
	}
}
