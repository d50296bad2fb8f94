package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/takt-dev/takt/simulator"
	"github.com/takt-dev/takt/simulator/page"
	"github.com/takt-dev/takt/simulator/policies"
)

// comparison is what the policies have made of one workload.
type comparison struct {
	simulation
	bound simulator.Bound
	runs  []page.Run // in the order in which the policies were asked for
}

// race is one policy at work.
type race struct {
	policy  string
	history simulator.History
	wall    time.Duration

	over atomic.Int64 // jobs that are over
	done atomic.Bool
}

// compare finds the bound and runs all policies, side by side.
func (s simulation) compare(ctx context.Context, w workload, stderr io.Writer) (comparison, error) {
	races := make([]race, len(s.policies))
	for i, name := range s.policies {
		races[i].policy = name
	}
	var bound simulator.Bound
	var bounded atomic.Bool
	stop := showProgress(stderr, func() string { return standings(races, len(w.jobs), bounded.Load()) })
	defer stop()
	err := inParallel(ctx, 1+len(races), func(i int) error {
		if i == 0 {
			bound = simulator.NewBound(w.due(), w.speeds, s.gpus, seconds(s.resizeCost))
			bounded.Store(true)
			return nil
		}
		return s.race(ctx, w, &races[i-1])
	})
	if err != nil {
		return comparison{}, err
	}
	c := comparison{simulation: s, bound: bound}
	for i := range races {
		r := &races[i]
		c.runs = append(c.runs, page.Run{Result: s.resultOf(r, bound), History: r.history})
	}
	return c, nil
}

func (s simulation) resultOf(r *race, bound simulator.Bound) simulator.Result {
	var perHour func(simulator.Job) float64
	if s.prices.PerHour != nil {
		perHour = func(j simulator.Job) float64 {
			of, _ := s.prices.Of(j.GPUType) // that all have one is checked as the trace is read
			return of
		}
	}
	result := r.history.Result(r.policy, bound, r.wall, perHour)
	result.GPUs = s.gpus
	return result
}

// race runs one policy. Each has a predictor of its own, which learns from what the policy does;
// what is random is the same for all.
func (s simulation) race(ctx context.Context, w workload, r *race) error {
	policy, err := policies.New(r.policy)
	if err != nil {
		return err
	}
	begin := time.Now()
	cluster := simulator.Cluster{
		GPUs: s.gpus, GPUsPerNode: s.gpusPerNode, ResizeCost: seconds(s.resizeCost),
		Failures: simulator.Failures{
			MTBF: seconds(s.failures), Repair: seconds(repair), Checkpoint: seconds(checkpoint), Seed: s.seed,
		},
		Queues: w.queues.Shares(s.gpus),
		Clock:  func() time.Duration { return time.Since(begin) },
		Progress: func(over int) {
			r.over.Store(int64(over))
			if ctx.Err() != nil {
				runtime.Goexit() // nobody waits for this run any more, and it knows of no context
			}
		},
	}
	r.history, err = cluster.Run(w.jobs, w.speeds, s.newPredictor(w), policy)
	r.wall = time.Since(begin)
	r.done.Store(true)
	if err != nil {
		return fmt.Errorf("policy %s: %w. That is a mistake of takt: leave this policy out", r.policy, err)
	}
	return nil
}

func (s simulation) newPredictor(w workload) simulator.Predictor {
	if s.predictor == learning {
		return simulator.NewLearner(w.speeds, s.noise, s.seed, s.gpusPerNode)
	}
	return simulator.NewOracle(w.speeds, s.noise, s.seed)
}

func seconds(d time.Duration) simulator.Seconds { return simulator.Seconds(d.Seconds()) }

// standings tells how far the policies are, and whether the bound is found.
func standings(races []race, jobs int, bounded bool) string {
	done := 0
	var running []string
	for i := range races {
		r := &races[i]
		if over := r.over.Load(); r.done.Load() {
			done++
		} else if over > 0 {
			running = append(running, fmt.Sprintf("%s %d", r.policy, over))
		}
	}
	line := fmt.Sprintf("policies done: %d of %d", done, len(races))
	if !bounded {
		line += ", the bound not yet found"
	}
	if len(running) > 0 {
		line += fmt.Sprintf("; jobs of %d over: %s", jobs, strings.Join(running, ", "))
	}
	return line
}

func (c comparison) results() []simulator.Result {
	results := make([]simulator.Result, len(c.runs))
	for i, r := range c.runs {
		results[i] = r.Result
	}
	return results
}
