package operator

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// hung takes every connection, and never says a word.
type hung struct {
	port  int32
	asked atomic.Int32
}

func hanging(t *testing.T) *hung {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hung{port: int32(listener.Addr().(*net.TCPAddr).Port)}
	var accepting sync.WaitGroup
	accepting.Go(func() {
		var open []net.Conn
		for {
			connection, err := listener.Accept()
			if err != nil {
				break
			}
			h.asked.Add(1)
			open = append(open, connection)
		}
		for _, connection := range open {
			_ = connection.Close()
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		accepting.Wait()
	})
	return h
}

// beside is a world whose operator looks after that of another tenant as well.
func beside(other *world.World) world.Options {
	return world.Options{Settings: func(s *settings.Settings) {
		s.Namespaces = append(s.Namespaces, other.Namespace)
	}, Start: world.Operate}
}

// scraped is a change of a PyTorchJob: its workers say that they serve metrics at a port.
func scraped(port int32) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		annotated("prometheus.io/scrape", "true")(job)
		annotated("prometheus.io/port", strconv.Itoa(int(port)))(job)
	}
}

// everySecond tells how far a training is in its log, once a second.
var everySecond = &habit.Habits{Tells: time.Minute}

// hasRead waits until so many reports of a job have been read from its log, and it is in time by them.
func hasRead(w *world.World, job string, reports int) {
	told := map[v1alpha1.Time]bool{}
	w.Eventually(fmt.Sprintf("%d reports of %s have been read", reports, job), world.Soon, func() error {
		status := w.Job(job).Status
		if status.Progress.Source == string(v1alpha1.ProgressLogs) {
			told[status.Progress.ObservedAt] = true
		}
		if len(told) < reports {
			return fmt.Errorf("there are %d: %s %s", len(told), status.Verdict, status.Message)
		}
		return world.Want("verdict", status.Verdict, v1alpha1.VerdictOnTrack)
	})
}

// An endpoint that takes the connection and never replies comes before the log, and does not keep Takt from it.
func TestAnEndpointThatNeverRepliesLeavesTheLogToBeRead(t *testing.T) {
	t.Parallel()
	h := hanging(t)
	w := world.New(t, world.Options{Start: world.Operate})
	w.StopOperator()
	w.Nodes(1, 1)
	w.PyTorchJob("resnet", world.Job{
		Deadline: "2h", Training: world.Steps(36000, training.Speed{Base: 20, Scaling: 1}), Habits: everySecond,
		Change: scraped(h.port),
	})
	here(t, w, "resnet") // before it is looked at: its log would be the source before the endpoint is there
	w.StartOperator()
	hasRead(w, "resnet", 10)
	if h.asked.Load() == 0 {
		t.Error("the endpoint was never asked")
	}
	if err := errors.Join(world.Want("resizes", len(w.Resizes("resnet")), 0),
		w.History.Undisturbed("resnet-worker-0")); err != nil {
		t.Error(err)
	}
}

// The endpoints of one namespace that never reply hold up its own readings, and not those of a job in another: it
// is read again and again within a time in which all of those could be asked only once or twice.
func TestAGreedyTenantDoesNotHoldUpTheReadingsOfOthers(t *testing.T) {
	t.Parallel()
	many := extent.Of(50, 250)
	h := hanging(t)
	greedy := world.New(t, world.Options{})
	w := world.New(t, beside(greedy))
	w.Nodes(1+many/100, 100)
	for i := range many {
		w.PyTorchJob(fmt.Sprintf("greedy-%d", i), world.Job{Still: true, Queue: "default",
			Change: func(job *unstructured.Unstructured) {
				job.SetNamespace(greedy.Namespace)
				scraped(h.port)(job)
			}})
	}
	for i := range many {
		here(t, greedy, fmt.Sprintf("greedy-%d", i))
	}
	w.Eventually("many have been asked in vain", world.Later, func() error {
		return world.Want("readings that hang", h.asked.Load() > 20, true)
	})
	w.PyTorchJob("humble", world.Job{
		Suspended: true, Deadline: "2h", Training: world.Steps(36000, training.Speed{Base: 20, Scaling: 1}),
		Habits: everySecond,
	})
	hasRead(w, "humble", 10)
	for range 10 {
		known := w.Job("humble").Status.Progress.ObservedAt
		w.Eventually("it is read again", 45*time.Second, func() error {
			return world.Want("what is known of it is new", w.Job("humble").Status.Progress.ObservedAt != known, true)
		})
	}
}
