package peers

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/benchmarks/peers/ahead"
)

var out = flag.String("out", "", "the `file` to write the table to, from its heading on")

const heading = "# Takt beside its peers\n"

// publish writes the table.
func publish(b *testing.B, all []outcome) {
	b.Helper()
	var text strings.Builder
	how := stream()
	fmt.Fprintf(&text, `%s
Written by `+"`make bench-peers`"+`, on %s with %d processors. The same %d jobs come to %d nodes with %d GPUs each, one every
%v in the mean, under one contender after the other, on a control plane of its own with training-operator: one play of one
stream each. For as long as they come, this is more work than the GPUs can do. Each peer is built from its own Go module, and
installed with its own manifests and defaults; Kueue has kube-scheduler to place pods, and coscheduling its scheduler alone. A job takes %v to %v with one worker; four kinds of code gain more or less by each further one.

Takt is told the deadline, how much there is to do, and which runs are of the same code, and learns the rest. All others have
what no user has: each job asks for the smallest size that is in time if it starts at once, from somebody who knows exactly
how fast the training is at every size. It has no time to spare then, cannot change its size, and trains once all of its
workers are there. None of the peers knows of deadlines.

%s

The pods are simulated, and the trainings in them. A pod takes %s to start, and a training stands still for a second when it starts
and whenever its size changes. They take seconds where real ones take minutes, so Takt waits for seconds where it waits for
minutes by default; what the peers and the schedulers wait for is as it is by default, such as 10 s for a gang that is not complete. Schedulers ask the API server as often as they like; Kueue and Takt's operator as often as they may by default.

`, heading, time.Now().UTC().Format("2006-01-02"), runtime.NumCPU(), how.Jobs, nodes, gpusEach, how.Every,
		how.Shortest, 8*how.Shortest, quotas, starts)
	row := func(name string, of func(o outcome) string) {
		fmt.Fprintf(&text, "| %s |", name)
		for _, o := range all {
			fmt.Fprintf(&text, " %s |", of(o))
		}
		text.WriteString("\n")
	}
	row("", func(o outcome) string { return o.contender.name })
	text.WriteString("|---|" + strings.Repeat("---|", len(all)) + "\n")
	row(ahead.Built, func(o outcome) string {
		built := fmt.Sprintf(o.contender.built, version(b, o.contender.builder, o.contender.module))
		if o.contender.with != "" {
			built += ", with " + version(b, o.contender.builder, o.contender.with)
		}
		return built
	})
	row(ahead.Ended, func(o outcome) string { return fmt.Sprintf("%d of %d", o.ended, len(o.took)) })
	row(ahead.Met, func(o outcome) string { return fmt.Sprint(o.met) })
	seconds := func(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }
	row(ahead.Waited, func(o outcome) string { return seconds(o.waited.Mean()) })
	row(ahead.WaitedP95, func(o outcome) string { return seconds(o.waited.P95()) })
	row(ahead.Took, func(o outcome) string { return seconds(o.took.Mean()) })
	row(ahead.TookP95, func(o outcome) string { return seconds(o.took.P95()) })
	row(ahead.Last, func(o outcome) string { return seconds(o.span) })
	row(ahead.Trained, func(o outcome) string {
		return fmt.Sprintf("%.0f %%", o.share(o.use.Training))
	})
	row(ahead.Held, func(o outcome) string {
		return fmt.Sprintf("%.1f %%", o.share(o.use.Held))
	})
	row(ahead.Writes, func(o outcome) string {
		return fmt.Sprintf("%.0f", float64(o.writes)/float64(len(o.took)))
	})
	row(ahead.Tells, func(o outcome) string {
		return fmt.Sprintf("%.0f", float64(o.tells)/float64(len(o.took)))
	})
	row(ahead.Processor, func(o outcome) string { return seconds(o.cpu) })
	row(ahead.Memory, func(o outcome) string { return fmt.Sprintf("%d MB", o.memory>>20) })
	said, err := ahead.Sentences(text.String(), ahead.Peers)
	must(b, err)
	text.WriteString("\n" + said +
		"\nA job that has not ended counts as late, and has waited and taken until the play was given up, " +
		patience.String() + " after " +
		"the last one came. GPUs that a scheduler reserves for a gang before it binds its pods are not seen. Requests are " +
		"all that anybody has made but leases and events: training-operator's, kubelets' and the trainings' too. " +
		"Processor time and memory are those of the scheduler and of the controller, where there is one.\n")
	b.Log(text.String())
	if *out == "" {
		return
	}
	must(b, os.WriteFile(*out, []byte(text.String()), 0o644))
}
