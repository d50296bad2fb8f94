package operator

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/world"
)

const (
	idle       = 5 * time.Minute
	scraped    = 30 * time.Second // as Prometheus does where nobody says otherwise: to tell costs the process something
	mostMemory = 300 << 20
	mostCPU    = 0.02 // of a core, at rest
)

// BenchmarkIdle counts what the operator writes when there is nothing to say: 500 jobs run and stand
// still, and 50 wait.
func BenchmarkIdle(b *testing.B) {
	c := gather(b, "still", 550, 50)
	p := run(b, c.namespace)
	c.known(b)
	if err := c.advance(b.Context(), 5, 12*time.Second); err != nil {
		b.Fatal(err)
	}
	atRest(b, p, c.jobs)
	p.end(b)
	c.leave(b)
}

// BenchmarkThousands measures the process with 5,000 jobs that run, or with as many as the variable JOBS says. It is
// the last: they all stay.
func BenchmarkThousands(b *testing.B) {
	jobs := 5000
	if said := os.Getenv("JOBS"); said != "" {
		var err error
		if jobs, err = strconv.Atoi(said); err != nil {
			b.Fatalf("JOBS is no number: %v", err)
		}
	}
	c := gather(b, "thousands", jobs, 0)
	p := run(b, c.namespace)
	c.known(b)
	atRest(b, p, c.jobs)
}

// atRest measures a process for a while once it has come to rest.
func atRest(b *testing.B, p *process, jobs int) {
	b.Helper()
	settled(b, p)
	before, err := p.figures(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	most := before.resident
	for until := before.at.Add(idle); time.Now().Before(until); {
		world.Until(b.Context(), time.Now().Add(scraped))
		now, err := p.figures(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		most = max(most, now.resident)
	}
	after, err := p.figures(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	passed, plans := after.at.Sub(before.at), after.plans-before.plans
	cpu := (after.cpu - before.cpu) / passed.Seconds()
	b.ReportMetric(most, "B-resident")
	b.ReportMetric(cpu, "cores")
	table(b, fmt.Sprintf("%d ElasticJobs at rest", jobs), []string{fmt.Sprintf("in %v", idle), "value", "target"},
		[][]string{
			{"writes", fmt.Sprint(after.writes - before.writes), reached(after.writes == before.writes)},
			{"reads that are no watches", fmt.Sprint(after.reads - before.reads), ""},
			{"resident memory, at most", megabytes(most), reached(most < mostMemory)},
			{"of that, pages of the binary", megabytes(p.held(b, "RssFile")), ""},
			{"resident memory at the peak of the process", megabytes(p.held(b, "VmHWM")), ""},
			{"Go heap in use", megabytes(after.heap), ""},
			{"of that, in use after the last collection", megabytes(after.live), ""},
			{"plans", fmt.Sprint(plans), ""},
			{"time of one plan, in the mean", fmt.Sprintf("%.1f ms", 1000*(after.planning-before.planning)/plans), ""},
			{"processor for collecting garbage", fmt.Sprintf("%.1f %% of a core",
				100*(after.collecting-before.collecting)/passed.Seconds()), ""},
			{"processor", fmt.Sprintf("%.1f %% of a core", 100*cpu),
				reached(cpu < mostCPU) + fmt.Sprintf(" (< %.0f %%)", 100*mostCPU)},
		})
}

// calm is longer than it takes to be told that a job stands still, and that nobody has read it for long.
const calm = 7 * time.Minute

// settled waits until the process has written nothing for so long.
func settled(b *testing.B, p *process) {
	b.Helper()
	var writes float64
	var since time.Time
	eventually(b, "the operator has nothing more to write", 30*time.Minute, func() error {
		now, err := p.figures(b.Context())
		if err != nil {
			return err
		}
		if now.writes != writes || since.IsZero() {
			writes, since = now.writes, now.at
		}
		if quiet := now.at.Sub(since); quiet < calm {
			return fmt.Errorf("%.0f writes, the last of them %v ago", writes, quiet.Round(time.Second))
		}
		return nil
	})
}

func megabytes(bytes float64) string { return fmt.Sprintf("%.0f MB", bytes/(1<<20)) }

// held is how much memory the process holds, in the words of the kernel: VmHWM is the most that it ever held.
func (p *process) held(b *testing.B, what string) (bytes float64) {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, what+": %f kB", &bytes); err == nil {
			return bytes * 1024
		}
	}
	return 0
}
