package reading_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
)

// nothing is an API server that serves nothing, and counts what it is asked for.
type nothing struct{ asked int }

func (n *nothing) RoundTrip(request *http.Request) (*http.Response, error) {
	n.asked++
	return &http.Response{
		StatusCode: http.StatusNotFound, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"text/plain"}}, Body: io.NopCloser(strings.NewReader("404 page not found")),
	}, nil
}

// In a cluster that does not serve how busy GPUs are a thousand jobs do not ask for it a thousand times again and
// again.
func TestWhatTheClusterDoesNotServeIsAskedForByFew(t *testing.T) {
	const jobs = 1000
	server, now := &nothing{}, fixture.Start
	o := fixture.Stopped(t, interceptor.Funcs{})
	o.Now = func() time.Time { return now }
	config, web := &rest.Config{Host: "http://nothing", QPS: -1}, &http.Client{Transport: server}
	clientset, err := kubernetes.NewForConfigAndClient(config, web)
	if err != nil {
		t.Fatal(err)
	}
	usage, err := metricsclient.NewForConfigAndClient(config, web)
	if err != nil {
		t.Fatal(err)
	}
	o.Usage = progress.NewUsageReader(usage, clientset.Discovery().RESTClient(), "", progress.Limits{
		Timeout: time.Second, MaxBytes: 1e6,
	}, o.Now)
	o.Furnish()
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1)
	pod := fixture.Worker0(job, "node")
	var all []*view.Subject
	for range jobs {
		s := &view.Subject{ElasticJob: ej, Known: &memory.Job{Run: fixture.Unseen()}}
		template := fixture.OneGPU()
		s.Job.Worker = &template
		all = append(all, s)
	}
	ask := func() int {
		before := server.asked
		for _, s := range all {
			o.Reader.WatchUse(t.Context(), s, []*corev1.Pod{pod})
		}
		return server.asked - before
	}
	if first := ask(); first < jobs {
		t.Errorf("%d requests of %d jobs that have never asked", first, jobs)
	}
	again := 0
	for range 24 * 12 {
		now = now.Add(5 * time.Minute)
		again += ask()
	}
	if again < memory.ManyInTurn || again > jobs {
		t.Errorf("%d requests in a day, want %d at most", again, jobs)
	}
}
