package peers

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/load"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// outcome is what has become of the stream.
type outcome struct {
	contender     contender
	met, ended    int
	waited, took  load.Spans // of each job; one that has not ended has taken until the end of the play
	span          time.Duration
	use           load.Use
	writes, tells int // to the API server, without leases and events; and how many of them tell the progress of a training
	cpu           time.Duration
	memory        int
}

// judge says what has become of the orders.
func (c contender) judge(w *world.World, orders []load.Order, begin time.Time) outcome {
	records, ends := w.History.Since(0), w.Ends("PyTorchJob")
	o := outcome{contender: c, ended: len(ends), use: load.UseOf(records, c.needs(orders), time.Now())}
	for _, order := range orders {
		took, ended := ends[order.Name]
		if !ended {
			took = time.Since(begin.Add(order.At))
		}
		if ended && took <= order.Within {
			o.met++
		}
		o.waited, o.took = append(o.waited, o.use.Waited[order.Name]), append(o.took, took)
		o.span = max(o.span, order.At+took)
	}
	told := map[string]string{}
	for _, r := range records {
		said := r.Object.GetAnnotations()[training.ProgressAnnotation]
		if r.Kind != "PyTorchJob" || said == told[r.Object.GetName()] {
			continue
		}
		told[r.Object.GetName()] = said
		if r.Event == world.Changed {
			o.tells++
		}
	}
	return o
}

// count adds what a process has used.
func (o *outcome) count(b *testing.B, pid int) {
	b.Helper()
	cpu, memory, err := cluster.Used(pid)
	if err != nil {
		b.Fatal(err)
	}
	o.cpu, o.memory = o.cpu+cpu, o.memory+memory
}

// share is a part of all GPUs for the time of the play, in percent.
func (o outcome) share(of time.Duration) float64 {
	return 100 * of.Seconds() / (gpus * o.span.Seconds())
}

func (o outcome) String() string {
	return fmt.Sprintf("%s: %d of %d jobs ended, %d in time; waited %v; took %v; all over after %v; %.0f %% of GPUs "+
		"trained, %.1f %% were held; "+
		"%d writes, %d of them progress; %v of processor, %d MB", o.contender.name, o.ended, len(o.took), o.met,
		o.waited, o.took,
		o.span.Round(time.Second), o.share(o.use.Training), o.share(o.use.Held), o.writes, o.tells, o.cpu, o.memory>>20)
}

// writes is how often something was written to the API server, but for leases and events.
func writes(b *testing.B, home *cluster.Cluster) (n int) {
	b.Helper()
	c, err := kubernetes.NewForConfig(home.Config())
	if err != nil {
		b.Fatal(err)
	}
	text, err := c.RESTClient().Get().AbsPath("/metrics").DoRaw(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, "apiserver_request_total{") || strings.Contains(line, `resource="leases"`) ||
			strings.Contains(line, `resource="events"`) {
			continue
		}
		for _, verb := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, "APPLY"} {
			if strings.Contains(line, fmt.Sprintf("verb=%q", verb)) {
				count, err := strconv.ParseFloat(line[strings.LastIndex(line, " ")+1:], 64)
				if err != nil {
					b.Fatal(err)
				}
				n += int(count)
			}
		}
	}
	return n
}
