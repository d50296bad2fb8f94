package page

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/results"
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

// fleetOf serves the page of so many jobs without a copy of them.
func fleetOf(t testing.TB, count int) *Server {
	t.Helper()
	of := kept{queues: []v1alpha1.TrainingQueue{*trainingQueue("research", 8)}}
	for _, job := range crowd(count) {
		of.jobs = append(of.jobs, *job.(*v1alpha1.ElasticJob))
	}
	server := serve(t)
	server.reader = of
	return server
}

// However fast the machine is, what a browser has to read and to draw at a time stays small, and does not grow with the
// fleet.
func TestAThousandJobsAreASmallAnswer(t *testing.T) {
	const most = 200 << 10
	thousand := len(page(t, fleetOf(t, 1000), "/takt/"))
	if thousand > most {
		t.Errorf("the first page of 1,000 jobs has %d bytes, want %d at most", thousand, most)
	}
	if more := len(page(t, fleetOf(t, 5000), "/takt/")); more > thousand+thousand/20 {
		t.Errorf("the first page of 5,000 jobs has %d bytes, and that of 1,000 has %d", more, thousand)
	}
}

// out is where the benchmark writes what it has measured; make bench-operator gives it.
var out = flag.String("out", "", "the `file` to write the table to")

// One look of somebody at a fleet of a thousand jobs: the first page of all, in the order of who is to be looked at.
// What is told of it is the time of the processor, garbage included, so that others on the machine count for little.
func BenchmarkAThousandJobs(b *testing.B) {
	server := fleetOf(b, 1000)
	request := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/takt/", http.NoBody)
	size, before := 0, processorTime(b)
	for b.Loop() {
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, request)
		if answer.Code != http.StatusOK {
			b.Fatalf("it is answered by %d: %s", answer.Code, answer.Body)
		}
		size = answer.Body.Len()
	}
	each := (processorTime(b) - before) / time.Duration(b.N)
	b.ReportMetric(float64(size)/1024, "KiB")
	b.ReportMetric(float64(each)/float64(time.Millisecond), "cpu-ms/op")
	if *out == "" {
		return
	}
	table := results.NewTable("The page of a fleet", "jobs", "processor time of a look", "answer")
	table.Add("1,000", fmt.Sprintf("%.0f ms", each.Seconds()*1000), fmt.Sprintf("%.0f KiB", float64(size)/1024))
	if err := results.Publish(*out, table); err != nil {
		b.Fatal(err)
	}
}

// processorTime is what this process has had of the processors so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
