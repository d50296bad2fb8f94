package operator

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/shorthand"
)

// A Job was suspended until it is admitted, and no ElasticJob can be made for it: it runs.
func TestAHeldJobForWhichNoElasticJobCanBeMadeRuns(t *testing.T) {
	of, _ := known.ByKind("Job")
	refused := interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
			options ...client.PatchOption) error {
			if _, is := object.(*v1alpha1.ElasticJob); is {
				return apierrors.NewInvalid(schema.GroupKind{Group: "takt.dev", Kind: "ElasticJob"}, object.GetName(), nil)
			}
			return c.Patch(ctx, object, patch, options...)
		},
	}
	for name, test := range map[string]struct {
		calls  interceptor.Funcs
		others []client.Object
	}{
		"its name is refused": {refused, nil},
		"a PyTorchJob has its name": {interceptor.Funcs{},
			[]client.Object{fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.KubernetesJob(batchv1.IndexedCompletion)
			job.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-time.Hour))
			job.Annotations[kind.HeldAnnotation] = "until-admitted"
			job.Spec.Suspend = new(true)
			o := fixture.Stopped(t, test.calls, append(test.others, job, fixture.Node("node", "8"))...)
			for range 3 {
				if _, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")); err != nil &&
					!apierrors.IsConflict(err) {
					t.Fatal(err)
				}
			}
			if is := fixture.Get(t, o, "resnet", &batchv1.Job{}); *is.Spec.Suspend {
				t.Errorf("it is still suspended: %v", is.Annotations)
			}
		})
	}
}

// A job that is to have one size may name it in its command.
func TestAJobOfOneSizeMayNameItInItsCommand(t *testing.T) {
	for nodes, want := range map[string]bool{"2": false, "3": true, "1:4": true} {
		job := fixture.PyTorchJob("resnet", 2, func(j *kubeflow.PyTorchJob) {
			j.Spec.ElasticPolicy = nil
			container(j).Command = []string{"torchrun", "--nnodes=" + nodes, "train.py"}
		})
		ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Workers = v1alpha1.WorkerRange{} })
		o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		refused, err := o.View.Refuse(t.Context(), s)
		if err != nil || (refused != nil) != want {
			t.Errorf("--nnodes=%s: refused as %+v, %v", nodes, refused, err)
		}
	}
}

// Many a training of one pod is written as a master without workers. It starts and stops as any other job, and has no
// other size.
func TestAMasterAloneIsStarted(t *testing.T) {
	for most, refused := range map[int32]bool{0: false, 1: false, 4: true} {
		job := fixture.PyTorchJob("resnet", 1, func(j *kubeflow.PyTorchJob) {
			j.Spec.ElasticPolicy, j.Spec.RunPolicy.Suspend = nil, new(true)
			all := j.Spec.PyTorchReplicaSpecs
			all[kubeflow.PyTorchJobReplicaTypeMaster] = all[kubeflow.PyTorchJobReplicaTypeWorker]
			delete(all, kubeflow.PyTorchJobReplicaTypeWorker)
		})
		ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
			ej.Spec.Guarantee = v1alpha1.GuaranteeBestEffort
			if most > 0 {
				ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(1)), Max: &most}
			}
		})
		o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
		fixture.Plans(t, o)
		var resizes v1alpha1.ResizeList
		if err := o.Client.List(t.Context(), &resizes); err != nil {
			t.Fatal(err)
		}
		if started := len(resizes.Items) == 1 && resizes.Items[0].Spec.To == 1; started == refused {
			t.Errorf("up to %d workers: it is changed by %+v", most, resizes.Items)
		}
	}
}

func container(j *kubeflow.PyTorchJob) *corev1.Container {
	return &j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0]
}

// The name of a metric leads to no other path of the API server.
func TestTheNameOfAMetricLeadsNowhereElse(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","items":[]}`)
	}))
	defer server.Close()
	clients := kubernetes.NewForConfigOrDie(&rest.Config{Host: server.URL})
	source := progress.NewCustomMetrics(clients.Discovery().RESTClient(),
		progress.Limits{Timeout: time.Minute, MaxBytes: 1 << 20})
	for _, metric := range []string{"x/../../../../../../api/v1/pods", "./x", "x/.."} {
		_, err := source.Read(t.Context(), progress.Target{
			Namespace: "team", Name: "resnet", Resource: schema.GroupResource{Group: "kubeflow.org", Resource: "pytorchjobs"},
			Spec: v1alpha1.ProgressSpec{Source: v1alpha1.ProgressCustomMetrics, Metric: metric, Total: "1000"},
		})
		if err == nil || !strings.Contains(err.Error(), "no name of a metric") {
			t.Errorf("metric %q: %v", metric, err)
		}
	}
	if asked > 0 {
		t.Errorf("the API server is asked %d times", asked)
	}
}

// A job may have thousands of keys. Few of them are looked at.
func TestFewOfManyUnknownKeysAreTold(t *testing.T) {
	many := map[string]string{}
	for i := range 14_000 {
		many[fmt.Sprintf("takt.dev/workrs-%05d", i)] = ""
	}
	said := shorthand.Read(many, nil, time.UTC)
	last := said.Faults[len(said.Faults)-1].Sentence
	if len(said.Faults) > 30 || !strings.Contains(last, "There are more keys") {
		t.Errorf("%d faults, the last of them %q", len(said.Faults), last)
	}
}
