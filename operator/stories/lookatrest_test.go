package stories

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
)

// BenchmarkALookAtRest looks at one of thousands of jobs, as the reader does every few minutes, of which nobody answers
// the reading of their logs. The caches are those of the operator, and the API server is one call of a function.
func BenchmarkALookAtRest(b *testing.B) {
	s := newSilence(b, silentJobs)
	for range 3 {
		s.lookAtAll()
	}
	before, looks := s.asked, 0
	b.ReportAllocs()
	for b.Loop() {
		if looks%silentJobs == 0 {
			s.at = s.at.Add(silencePeriod)
		}
		s.lookAt(looks % silentJobs)
		looks++
	}
	b.ReportMetric(float64(s.asked-before)/float64(looks), "requests/op")
}

const (
	silentJobs    = 5000
	silencePeriod = 5 * time.Minute
	silentPerNode = 8
)

// silence is many jobs that tell nothing, and the reader of an operator.
type silence struct {
	ctx   context.Context
	b     *testing.B
	o     *rooms.Rooms
	at    time.Time
	jobs  int
	asked int
}

func newSilence(b *testing.B, jobs int) *silence {
	b.Helper()
	ctrllog.SetLogger(logr.Discard())
	s := &silence{b: b, at: fixture.Start, jobs: jobs, ctx: ctrllog.IntoContext(b.Context(), logr.Discard())}
	all := map[reflect.Type][]runtime.Object{}
	for i := range jobs {
		for _, object := range tellingNothing(i) {
			all[reflect.TypeOf(object)] = append(all[reflect.TypeOf(object)], object)
		}
	}
	config, web := &rest.Config{Host: "http://silence", QPS: -1}, &http.Client{Transport: s}
	c, err := cachedOf(s.ctx, config, web, all)
	if err != nil {
		b.Fatal(err)
	}
	s.o = rooms.New(settings.Default(), c, c, func() time.Time { return s.at }, logr.Discard())
	s.o.GPUs = capacity.Options{Resources: []corev1.ResourceName{"nvidia.com/gpu"}, ProductLabel: s.o.GPUs.ProductLabel}
	s.o.Events = telling.NewRecorder(&events.FakeRecorder{}, s.o.Now)
	s.o.Profiles = &learn.Store{Client: c}
	clientset, err := kubernetes.NewForConfigAndClient(config, web)
	if err != nil {
		b.Fatal(err)
	}
	usage, err := metricsclient.NewForConfigAndClient(config, web)
	if err != nil {
		b.Fatal(err)
	}
	p := s.o.Settings.Progress
	bounds := progress.Limits{Timeout: p.Timeout.Duration, MaxBytes: p.MaxBytes}
	custom := clientset.Discovery().RESTClient()
	s.o.Sources = fixture.SourcesOf(p.Every.Duration, progress.NewAgent(bounds), progress.Annotation{},
		progress.NewPrometheus(bounds), progress.NewLogs(clientset.CoreV1(), bounds),
		progress.NewCustomMetrics(custom, bounds))
	s.o.Usage = progress.NewUsageReader(usage, custom, s.o.Settings.Usage.GPUMetric, bounds, s.o.Now)
	s.o.Kinds = installed.AllServed()
	s.o.Furnish()
	return s
}

// tellingNothing is a job, with all that belongs to it.
func tellingNothing(i int) []runtime.Object {
	name, node := fmt.Sprintf("job-%04d", i), fmt.Sprintf("node-%d", i/silentPerNode)
	job := fixture.PyTorchJob(name, 1)
	job.Annotations = map[string]string{progress.ProgressAnnotation: "1000/100000 steps at " +
		fixture.Start.Add(-time.Minute).Format(time.RFC3339), "takt.dev/profile": "code"}
	pod := fixture.Worker0(job, node)
	pod.Status.StartTime = &metav1.Time{Time: fixture.Start}
	ej := fixture.ElasticJob(name, func(ej *v1alpha1.ElasticJob) {
		ej.Spec.Profile = fmt.Sprintf("code-%d", i%50)
		ej.OwnerReferences = []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: kubeflow.PyTorchJobKind,
			Name: name, UID: job.UID}}
	})
	all := []runtime.Object{job, pod, ej}
	if i%silentPerNode == 0 {
		all = append(all, fixture.Node(node, fmt.Sprint(silentPerNode)))
	}
	if i == 0 {
		all = append(all, &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "default"}})
	}
	return all
}

// RoundTrip says that no kubelet answers, and that nobody serves metrics.
func (s *silence) RoundTrip(request *http.Request) (*http.Response, error) {
	s.asked++
	code, reason := http.StatusNotFound, "NotFound"
	if strings.HasSuffix(request.URL.Path, "/log") {
		code, reason = http.StatusInternalServerError, ""
	}
	return &http.Response{
		StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(fmt.Sprintf(
			`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"dial tcp","reason":%q,"code":%d}`,
			reason, code))),
	}, nil
}

func (s *silence) lookAt(i int) {
	request := fixture.Request("")
	request.NamespacedName = types.NamespacedName{Namespace: "team", Name: fmt.Sprintf("job-%04d", i)}
	if _, err := s.o.Reader.Reconcile(s.ctx, request); err != nil {
		s.b.Fatal(err)
	}
}

func (s *silence) lookAtAll() {
	s.at = s.at.Add(silencePeriod)
	for i := range s.jobs {
		s.lookAt(i)
	}
}
