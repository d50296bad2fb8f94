package operator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

const (
	slowest    = time.Second // that 99 of 100 changes of a size may take
	singles    = 150         // changes of size that come one at a time
	bursts     = 15
	burst      = 10 // changes that come together
	reportEach = time.Minute
)

// BenchmarkDecisionToReplicas measures how long it takes from the end of a plan that decides to resize
// a job to the answer of the API server that the job has its new size. 500 jobs run and report their
// progress; the sizes of some of them are changed, one by one and ten at a time.
func BenchmarkDecisionToReplicas(b *testing.B) {
	c := gather(b, "busy", 500, 0)
	all := c.jobs
	c.bound(b, 0, all, "1-1")
	for i := range (singles + bursts*burst + gpusPerNode - 1) / gpusPerNode {
		if err := c.client.Create(b.Context(), c.node(1000+i)); err != nil {
			b.Fatal(err)
		}
	}
	seen, plans := &wire{}, &moments{}
	s := settings.Default()
	s.NodeSelector = map[string]string{"crowd": c.namespace}
	s.LeaderElection.Enabled, s.Metrics.BindAddress, s.Health.BindAddress = false, "0", "0"
	ctx, stop := context.WithCancel(logr.NewContext(b.Context(), plans.logger()))
	ended := make(chan error, 1)
	go func() { ended <- seen.start()(ctx, cluster.Shared().Config(), s) }()
	c.known(b)

	reports := make(chan error, 1)
	reporting, enough := context.WithCancel(b.Context())
	go func() { reports <- c.advance(reporting, 1000, reportEach) }()
	world.Until(b.Context(), time.Now().Add(reportEach))
	from := time.Now()
	for i := range singles {
		c.bound(b, i, i+1, "2-2")
		world.Until(b.Context(), time.Now().Add(700*time.Millisecond))
	}
	inBursts := time.Now()
	for i := range bursts {
		first := singles + i*burst
		c.bound(b, first, first+burst, "2-2")
		world.Until(b.Context(), time.Now().Add(5*time.Second))
	}
	world.Until(b.Context(), time.Now().Add(20*time.Second))
	enough()
	stop()
	for _, end := range []<-chan error{reports, ended} {
		if err := <-end; err != nil && !errors.Is(err, context.Canceled) {
			b.Error(err)
		}
	}

	took := map[bool][]time.Duration{}
	for _, change := range changes(seen.between(from, time.Now())) {
		took[change.asked.After(inBursts)] = append(took[change.asked.After(inBursts)],
			change.done.Sub(plans.last(change.asked)))
	}
	together := slices.Concat(took[false], took[true])
	p99 := percentile(together, 99)
	b.ReportMetric(p99.Seconds(), "s-p99")
	line := func(what string, all []time.Duration) []string {
		ms := func(percent float64) string { return fmt.Sprintf("%d ms", percentile(all, percent).Milliseconds()) }
		return []string{what, fmt.Sprint(len(all)), ms(50), ms(90), ms(99), ms(100)}
	}
	table(b, fmt.Sprintf("From a decision to the replicas of the job, with %d jobs", all),
		[]string{"changes", "count", "median", "p90", "p99", "longest", "p99 < 1 s"}, [][]string{
			append(line("one at a time", took[false]), reached(percentile(took[false], 99) < slowest)),
			append(line(fmt.Sprintf("%d at a time", burst), took[true]), reached(percentile(took[true], 99) < slowest)),
			append(line("all", together), reached(p99 < slowest)),
		})
	remark(fmt.Sprintf("Each job reports its progress every %v by the annotation of its PyTorchJob. Where all report "+
		"every 15 seconds, "+
		"kube-apiserver alone takes more than one of two cores, for it validates the whole PyTorchJob each time; "+
		"what is measured then is how long requests wait for it.", reportEach))
	if want := singles + bursts*burst; len(together) != want {
		b.Errorf("%d changes were seen, not %d", len(together), want)
	}
	c.leave(b)
}

// bound lets some jobs have certain sizes only.
func (c *crowd) bound(b *testing.B, from, to int, sizes string) {
	b.Helper()
	writers, writing := errgroup.WithContext(b.Context())
	writers.SetLimit(16)
	for i := from; i < to; i++ {
		writers.Go(func() error {
			patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"takt.dev/workers":%q}}}`, sizes)
			return c.client.Patch(writing, c.job(i, false), client.RawPatch(types.MergePatchType, patch))
		})
	}
	if err := writers.Wait(); err != nil {
		b.Fatal(err)
	}
}

// change is a Resize: when it was asked for, and when the API server had the new size.
type change struct{ asked, done time.Time }

// changes pairs each Resize that is made with the next write to its job.
func changes(all []write) []change {
	slices.SortFunc(all, func(a, b write) int { return a.at.Compare(b.at) })
	open, found := map[string]time.Time{}, []change(nil)
	for _, w := range all {
		switch {
		case w.method == http.MethodPost && w.what == "resizes":
			open[w.name[:strings.LastIndex(w.name, "-")]] = w.at
		case w.method == http.MethodPatch && w.what == "pytorchjobs" && w.status == http.StatusOK && !open[w.name].IsZero():
			found = append(found, change{open[w.name], w.done})
			delete(open, w.name)
		}
	}
	return found
}

// percentile is the smallest that so many of a hundred do not exceed.
func percentile(all []time.Duration, percent float64) time.Duration {
	if len(all) == 0 {
		return math.MaxInt64
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[max(int(math.Ceil(percent/100*float64(len(sorted))))-1, 0)]
}

// moments are when a plan was decided, as the log says it.
type moments struct {
	mu  sync.Mutex
	all []time.Time
}

func (m *moments) logger() logr.Logger {
	return funcr.New(func(_, arguments string) {
		if strings.Contains(arguments, `"msg"="Planned"`) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.all = append(m.all, time.Now())
		}
	}, funcr.Options{Verbosity: 2})
}

// last is the last one before a moment. There has been one.
func (m *moments) last(before time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, _ := slices.BinarySearchFunc(m.all, before, time.Time.Compare)
	return m.all[max(i-1, 0)]
}
