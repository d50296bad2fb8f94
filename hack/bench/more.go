package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/takt-dev/takt/simulator/accuracy"
)

// noise is how much is lost where the predictor is wrong.
func (b *bench) noise(ctx context.Context) error {
	b.say("Deadlines met by takt when what the predictor is told is off by a factor with standard deviation σ (of its " +
		"logarithm): each speed once and for all for the oracle, each reading for the learner. In brackets: late after a " +
		"promise. A resize costs 30 s.")
	b.simCommand("--resize-cost 30s --policy takt --predictor PREDICTOR --noise σ --guarantee GUARANTEE")
	t := &table{}
	t.row("trace", "predictor", "guarantee", "σ = 0", "0.1", "0.2", "0.4")
	for _, tr := range []trace{stock[0], stock[5]} {
		for _, predictor := range []string{"oracle", "learning"} {
			for _, guarantee := range []string{"best-effort", "promise"} {
				row := []any{tr, predictor, guarantee}
				for _, sigma := range []string{"0", "0.1", "0.2", "0.4"} {
					results, _, err := b.sim(ctx, tr, "--resize-cost", "30s", "--policy", "takt", "--predictor", predictor, "--noise",
						sigma, "--guarantee", guarantee)
					if err != nil {
						return err
					}
					row = append(row, asked(last(results)))
				}
				t.row(row...)
			}
		}
	}
	b.say("%s", t)
	return nil
}

// bystanders are jobs without a deadline, and nodes that fail.
func (b *bench) bystanders(ctx context.Context) error {
	b.say("A fifth of the jobs has no deadline; and each node fails once in 30 days. cluster05 on 128 GPUs, a resize " +
		"costs 30 s.")
	b.sayAsking()
	b.simCommand("--resize-cost 30s --best-effort 0.2 --failures 720h --policy " + strings.Join(compared, ","))
	t := &table{}
	t.row("policy", "deadlines met", "bound", "late after promise", "mean completion of best-effort jobs", "resizes a job",
		"GPU-hours lost")
	results, _, err := b.sim(ctx, trace{"cluster05", 128}, "--resize-cost", "30s", "--best-effort", "0.2", "--failures",
		"720h", "--policy", strings.Join(compared, ","))
	if err != nil {
		return err
	}
	asking, err := b.asking(ctx, trace{"cluster05", 128}, "--resize-cost", "30s", "--best-effort", "0.2", "--failures",
		"720h")
	if err != nil {
		return err
	}
	asking.Policy = "takt, promise"
	for _, r := range append(results, asking) {
		completion := "–"
		if r.BestEffortJCT != nil {
			completion = fmt.Sprintf("%.1f h", *r.BestEffortJCT/3600)
		}
		t.row(r.Policy, r.MetRatio, r.Bound, r.LateAfter, completion, fmt.Sprintf("%.1f", r.ResizesPerJob),
			fmt.Sprintf("%.0f", r.GPUHoursLost))
	}
	b.say("%s", t)
	return nil
}

// prediction measures the error of predicted step times.
func (b *bench) prediction(ctx context.Context) error {
	b.say("Mean absolute error of predicted step times of configurations that the fit did not see, k random ones given, " +
		"median of 15 draws. At most half of the published baseline's error is wanted, and 90 %% intervals that hold 85 to " +
		"95 %% of the truth.")
	b.say("After others: the two other apps were measured on the network before, in 20 random configurations each, by " +
		"the times of whole steps alone. That is what a job gets whose namespace has profiles of other code.")
	b.command("predict --data $DATA/adaptdl/APP/placements.csv --samples K --draws 15 --seed 1 [--others 20 --data THE " +
		"OTHERS]")
	published := map[string][]float64{"bert": {.092, .081, .068}, "cifar10": {.123, .096, .087},
		"imagenet": {.093, .089, .081}}
	apps, files := []string{"bert", "cifar10", "imagenet"}, []string{}
	for _, app := range apps {
		files = append(files, filepath.Join(b.data, "adaptdl", app, "placements.csv"))
	}
	t := &table{}
	t.row("app", "k", "error", "p90", "baseline here", "baseline published", "coverage", "half the error", "coverage",
		"after others: error", "coverage")
	for n, app := range apps {
		for i, k := range []string{"5", "10", "20"} {
			var alone, taught []accuracy.Report
			asks := []string{"predict", "--samples", k, "--draws", "15", "--seed", "1", "--data"}
			if _, err := b.run(ctx, &alone, append(asks, files[n])...); err != nil {
				return err
			}
			if _, err := b.run(ctx, &taught, append(append(asks, files...), "--others", "20")...); err != nil {
				return err
			}
			r, after := alone[0], taught[n]
			t.row(app, k, r.MAPEMedian, r.MAPEP90, r.BaselineMAPEMedian, published[app][i], r.Coverage90,
				mark(r.MAPEMedian <= published[app][i]/2), mark(r.Coverage90 >= .85 && r.Coverage90 <= .95),
				after.MAPEMedian, after.Coverage90)
		}
	}
	b.say("%s", t)
	b.say("%s", strings.TrimSpace(predictionProse))
	return nil
}

//go:embed prediction.md
var predictionProse string

// speed measures the planner and the simulator.
func (b *bench) speed(ctx context.Context) error {
	const which = "^Benchmark(Plan|Event)$"
	out, err := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", which, "-benchmem",
		"./elastic").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	b.say("```\ngo test -run '^$' -bench '%s' -benchmem ./elastic\n```", which)
	t := &table{}
	t.row("one plan", "time", "memory allocated", "wanted")
	lines := regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(\d+) ns/op.*?(\d+) B/op`).FindAllSubmatch(out, -1)
	for _, row := range []struct {
		name, what string
		most       float64 // milliseconds
	}{
		{"Plan/1000", "1,000 jobs", 0},
		{"Plan/10000", "10,000 jobs", 500},
		{"Plan/100000", "100,000 jobs on 1,000,000 GPUs", 10_000},
		{"Event", "10,000 jobs that train as planned, and one deadline that has changed", 100},
	} {
		at := slices.IndexFunc(lines, func(m [][]byte) bool { return string(m[1]) == row.name })
		if at < 0 {
			return fmt.Errorf("%s is to be measured, and this is what was: %s", row.name, out)
		}
		var ns, bytes float64
		if _, err := fmt.Sscan(string(lines[at][2])+" "+string(lines[at][3]), &ns, &bytes); err != nil {
			return err
		}
		wanted := ""
		if row.most > 0 {
			wanted = fmt.Sprintf("under %v ms: %s", row.most, mark(ns/1e6 < row.most))
		}
		t.row(row.what, fmt.Sprintf("%.0f ms", ns/1e6), fmt.Sprintf("%.0f MB", bytes/1e6), wanted)
	}
	b.say("%s", t)
	b.say("There are ten GPUs for each job. Up to 2,048 jobs a plan takes up to four tries more, until the next one at " +
		"the same moment would be the same; above 8,192 it takes none, and what a plan opens for others is for the next " +
		"one to find.")
	results, memory, err := b.sim(ctx, stock[3], "--resize-cost", "30s", "--policy", "takt")
	if err != nil {
		return err
	}
	wall := last(results).Wall
	b.say("cluster07 (12,699 jobs) is simulated in %.1f s (under 180 s is wanted: %s), with at most %d MB of memory, "+
		"the bound included.", wall, mark(wall < 180), memory>>20)
	fmt.Fprintln(os.Stderr, "bench: done")
	return nil
}
