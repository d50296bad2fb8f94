package scheduler

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var out = flag.String("out", "", "the `file` to write the tables to, from their heading on")

const (
	heading = "## The scheduler\n"
	wanted  = 0.95 // of the plain pods that kube-scheduler places in the same time
)

// publish writes the table.
func publish(b *testing.B, takt, stock *contender) {
	b.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, `%s
Written by `+"`make bench-scheduler`"+`, on %s with %d processors: takt-scheduler beside kube-scheduler, built from
the same module, by turns on one control plane with %d nodes of %d GPUs in 50 racks, in one run. A rate is of what
waited when the scheduler started, from the first pod that was bound to the last: %d rounds of %d plain pods for
each, and %d of %d pods in gangs. A latency is from when all pods of a gang were there until the last was bound,
for gangs that came one after the other to an empty cluster, %d of 8 pods and %d of 64. kube-scheduler knows no gangs: it places the same
pods one by one. The processor time has that of the start in it. Neither is held
back by a limit of its own to how often it asks the API server. The API server has the same processors, and half
of their time.

| | takt-scheduler | kube-scheduler | ratio | wanted |
|---|---|---|---|---|
`, heading, time.Now().UTC().Format("2006-01-02"), runtime.NumCPU(), nodes, gpusEach, plainRounds, plainPods,
		gangRounds, gangPods, len(takt.latency["gangs of 8"]), len(takt.latency["gangs of 64"]))
	row := func(name, unit string, a, b float64, digits int, rest ...string) {
		fmt.Fprintf(&text, "| %s | %.*f%s | %.*f%s | %.2f | %s |\n", name, digits, a, unit, digits, b, unit, a/b,
			strings.Join(rest, ""))
	}
	rate := func(c *contender, what string, each int) float64 {
		return float64(each*len(c.took[what])) / sum(c.took[what]).Seconds()
	}
	plainRate := [2]float64{rate(takt, "plain pods", plainPods), rate(stock, "plain pods", plainPods)}
	verdict := "reached"
	if plainRate[0] < wanted*plainRate[1] {
		verdict = "**falls short**"
	}
	row("plain pods a second", "", plainRate[0], plainRate[1], 0, fmt.Sprintf("at least %.2f: %s", wanted, verdict))
	for _, size := range []int{8, 64} {
		what := fmt.Sprintf("gangs of %d", size)
		row(what+" a second", "", rate(takt, what, gangPods/size), rate(stock, what, gangPods/size), 2)
	}
	for _, what := range []string{"gangs of 8", "gangs of 64"} {
		for _, percent := range []int{50, 99} {
			ms := func(c *contender) float64 { return float64(percentile(c.latency[what], percent).Microseconds()) / 1000 }
			row(fmt.Sprintf("%s: complete to bound, p%d", what, percent), " ms", ms(takt), ms(stock), 0)
		}
	}
	for _, what := range []string{"plain pods", "gangs of 8", "gangs of 64"} {
		ms := func(c *contender) float64 { return mean(c.first[what]) / 1e6 }
		row("started to first pod bound, "+what, " ms", ms(takt), ms(stock), 0)
	}
	for _, what := range []string{"plain pods", "gangs of 8", "gangs of 64"} {
		row("processor time for 1,000 pods, "+what, " ms", mean(takt.cpu[what]), mean(stock.cpu[what]), 0)
	}
	row("memory, at most", " MB", float64(takt.memory), float64(stock.memory), 0)
	fmt.Fprintf(&text, "\nThe ratio for plain pods has a standard error of %.3f, by how it differs from round to round.\n",
		deviation(ratios(stock.took["plain pods"], takt.took["plain pods"])))
	b.Log(text.String())
	if *out == "" {
		return
	}
	before, err := os.ReadFile(*out)
	if err != nil {
		b.Fatal(err)
	}
	rest, _, _ := strings.Cut(string(before), heading)
	if err := os.WriteFile(*out, []byte(strings.TrimRight(rest, "\n")+"\n\n"+text.String()), 0o644); err != nil {
		b.Fatal(err)
	}
}

func ratios(a, b []time.Duration) (all []float64) {
	for i := range a {
		all = append(all, float64(a[i])/float64(b[i]))
	}
	return all
}

func sum[T ~int64 | ~float64](all []T) (total T) {
	for _, each := range all {
		total += each
	}
	return total
}

func mean[T ~int64 | ~float64](all []T) float64 { return float64(sum(all)) / float64(len(all)) }

// deviation is the standard error of the mean.
func deviation(all []float64) float64 {
	squares, middle := 0.0, mean(all)
	for _, each := range all {
		squares += (each - middle) * (each - middle)
	}
	return math.Sqrt(squares / float64(len(all)-1) / float64(len(all)))
}

func percentile(all []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)]
}
