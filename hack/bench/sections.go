package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/takt-dev/takt/simulator"
)

// compared are the policies, in the order of the tables; the last is ours.
var compared = []string{
	"fifo", "edf", "tiresias", "optimus", "edf-admission", "edf-elastic", "elasticflow", "elasticflow-fixed", "takt",
}

func last(results []simulator.Result) simulator.Result { return results[len(results)-1] }

// stock compares all policies on the traces as they are.
func (b *bench) stock(ctx context.Context) error {
	b.say("Deadlines met, as a share of all jobs, when a resize costs 30 s (elasticflow charges its own published " +
		"overhead instead). The bound is what a scheduler that knows all jobs in advance could meet at most. The last " +
		"columns are takt's: its share of the bound (at least .97 is wanted), jobs late after a promise (none is wanted), " +
		"jobs that were promised, resizes a job, p99 of one decision.")
	b.sayAsking()
	b.simCommand("--resize-cost 30s --policy " + strings.Join(compared, ","))
	header := []any{"trace"}
	for _, p := range compared {
		header = append(header, p)
	}
	t := &table{}
	t.row(append(header, "takt, promise", "bound", "of bound", "late", "promised", "resizes", "p99", "target")...)
	for _, tr := range stock {
		results, _, err := b.sim(ctx, tr, "--resize-cost", "30s", "--policy", strings.Join(compared, ","))
		if err != nil {
			return err
		}
		asking, err := b.asking(ctx, tr, "--resize-cost", "30s")
		if err != nil {
			return err
		}
		row := []any{tr}
		for _, r := range results {
			row = append(row, r.MetRatio)
		}
		us := last(results)
		t.row(append(row, asked(asking), us.Bound, us.MetOverBound, us.LateAfter, us.Promised,
			fmt.Sprintf("%.1f", us.ResizesPerJob),
			fmt.Sprintf("%.1f ms", us.Decision.P99), mark(nearBound(us)))...)
	}
	b.say("%s", t)
	return nil
}

// published compares the elasticflow baseline with what its authors published.
func (b *bench) published(ctx context.Context) error {
	b.simCommand("--policy elasticflow")
	figures := []float64{.788, .822, .832, .665, .981, .728}
	t := &table{}
	t.row("trace", "published", "ours", "difference")
	near := 0
	for i, tr := range stock {
		results, _, err := b.sim(ctx, tr, "--policy", "elasticflow")
		if err != nil {
			return err
		}
		off := last(results).MetRatio - figures[i]
		if off > -0.03 && off < 0.03 {
			near++
		}
		t.row(tr, figures[i], last(results).MetRatio, fmt.Sprintf("%+.3f", off))
	}
	b.say("%s", t)
	b.say("Within 3 points on %d of %d traces (4 are wanted): %s. %s", near, len(stock), mark(near >= 4), elasticflowProse)
	return nil
}

const elasticflowProse = "Where the description leaves room, the reading that its authors' code suggests was taken: " +
	"leftover GPUs go to the job whose GPU-time rises most, and a job pays for a changed allocation when it gets other " +
	"GPUs, all jobs being packed anew at each event. About 15 combinations of readings were compared, so the agreement " +
	"is partly selected. cluster01 stays too high; probably because a job near its end makes no progress in the " +
	"authors' simulator while events come every minute, and blocks newcomers; this was not verified."

// learning compares what is met with speeds that are learned to what is met with speeds that are known.
func (b *bench) learning(ctx context.Context) error {
	b.say("The learner sees the progress of jobs that run, each reading off by a factor with σ = 0.1, and nothing of " +
		"the tables. At least .95 of what the oracle gets is wanted, and no job late after a promise.")
	b.sayAsking()
	b.simCommand("--resize-cost 30s --policy takt --predictor learning --noise 0.1")
	t := &table{}
	t.row("trace", "oracle", "learning", "of oracle", "late", "promised", "resizes", "target", "oracle: takt, promise",
		"learning: takt, promise")
	for _, tr := range slices.Concat(stock, contended) {
		oracle, _, err := b.sim(ctx, tr, "--resize-cost", "30s", "--policy", "takt")
		if err != nil {
			return err
		}
		learning, _, err := b.sim(ctx, tr, "--resize-cost", "30s", "--policy", "takt", "--predictor", "learning", "--noise",
			"0.1")
		if err != nil {
			return err
		}
		var asking []any
		for _, predictor := range [][]string{{"oracle"}, {"learning", "--noise", "0.1"}} {
			r, err := b.asking(ctx, tr, append([]string{"--resize-cost", "30s", "--predictor"}, predictor...)...)
			if err != nil {
				return err
			}
			asking = append(asking, asked(r))
		}
		o, l := last(oracle), last(learning)
		t.row(append([]any{tr, o.MetRatio, l.MetRatio, partOf(l, o), l.LateAfter, l.Promised,
			fmt.Sprintf("%.1f", l.ResizesPerJob), mark(learned(l, o))}, asking...)...)
	}
	b.say("%s", t)
	return nil
}

// contention compares all policies where there are far too few GPUs, at several resize costs.
func (b *bench) contention(ctx context.Context) error {
	b.say("The same traces on fewer GPUs. Takt is to be ahead of every baseline on every row, and no job late after a " +
		"promise.")
	b.sayAsking()
	b.simCommand("--resize-cost COST --policy " + strings.Join(compared, ","))
	header := []any{"trace", "cost"}
	for _, p := range compared {
		header = append(header, p)
	}
	t := &table{}
	t.row(append(header, "takt, promise", "bound", "late", "promised", "resizes", "target")...)
	for _, tr := range contended {
		for _, cost := range []string{"0s", "10s", "30s", "60s"} {
			results, _, err := b.sim(ctx, tr, "--resize-cost", cost, "--policy", strings.Join(compared, ","))
			if err != nil {
				return err
			}
			asking, err := b.asking(ctx, tr, "--resize-cost", cost)
			if err != nil {
				return err
			}
			row := []any{tr, cost}
			for _, r := range results {
				row = append(row, r.MetRatio)
			}
			us := last(results)
			t.row(append(row, asked(asking), us.Bound, us.LateAfter, us.Promised, fmt.Sprintf("%.1f", us.ResizesPerJob),
				mark(ahead(results)))...)
		}
	}
	b.say("%s", t)
	return nil
}
