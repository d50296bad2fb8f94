package page

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// kept tells what it has without a copy, as the cache of the operator does.
type kept struct {
	client.Reader
	jobs   []v1alpha1.ElasticJob
	queues []v1alpha1.TrainingQueue
}

func (k kept) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	switch of := list.(type) {
	case *v1alpha1.ElasticJobList:
		of.Items = k.jobs
	case *v1alpha1.TrainingQueueList:
		of.Items = k.queues
	}
	return nil
}

// One look of somebody at a fleet of a thousand jobs: the first page of all, in the order of who is to be looked at.
func BenchmarkAThousandJobs(b *testing.B) {
	of := kept{queues: []v1alpha1.TrainingQueue{*trainingQueue("research", 8)}}
	for _, job := range crowd(1000) {
		of.jobs = append(of.jobs, *job.(*v1alpha1.ElasticJob))
	}
	server := serve(b)
	server.reader = of
	request := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/takt/", http.NoBody)
	size := 0
	for b.Loop() {
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, request)
		if answer.Code != http.StatusOK {
			b.Fatalf("it is answered by %d: %s", answer.Code, answer.Body)
		}
		size = answer.Body.Len()
	}
	b.ReportMetric(float64(size)/1024, "KiB")
}
