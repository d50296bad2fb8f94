package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/simulator/policies"
)

// simulation is what takt sim is asked to do.
type simulation struct {
	trace, throughputs string
	queues             string   // the file with them; empty if all jobs are of one
	sizes              sizeList // of the cluster
	gpus, gpusPerNode  int      // gpus is the one of the sizes that is looked at
	gpuType            string   // the kind of them; empty where the trace has one kind at most
	prices             prices
	policies           policyList
	resizeCost         time.Duration
	predictor          string
	guarantee          string
	noise              float64
	bestEffort         float64
	deadlines          float64 // how much of the time to its deadline a job has
	failures           time.Duration
	seed               uint64
	output, html       string
	strict             bool
}

// The predictors, by what they are told.
const (
	oracle   = "oracle"
	learning = "learning"
)

// What jobs ask for, by the names of spec.guarantee.
const (
	startAnyway  = "best-effort"
	onlyPromised = "promise"
)

// What is not a matter of flags, since no finding hangs on it.
const (
	repair     = 30 * time.Minute // how long a node that failed is away
	checkpoint = 10 * time.Minute // how often jobs save their state
)

func simCommand() *cobra.Command {
	s := simulation{
		gpusPerNode: 8, policies: policyList{"takt"}, resizeCost: 30 * time.Second, predictor: oracle, guarantee: startAnyway,
		seed: 1, deadlines: 1, output: usage.AsTable,
	}
	cmd := &cobra.Command{
		Use:     "sim --trace FILE --throughputs DIR --gpus N",
		Short:   "Replay a trace of jobs under scheduling policies and count the deadlines met",
		Long:    simHelp,
		Example: simExamples,
		Args:    usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.check(); err != nil {
				return err
			}
			return s.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&s.trace, "trace", "", "`file` with the jobs")
	flags.StringVar(&s.throughputs, "throughputs", "", "`folder` with the speeds of each model")
	flags.Var(&s.sizes, "gpus", "GPUs of the cluster, or several, as in 64,96")
	flags.Var(usage.Positive(&s.gpusPerNode), "gpus-per-node", "GPUs of each node")
	flags.StringVar(&s.gpuType, "gpu-type", "", "the `kind` of GPU that is replayed, or all as one")
	flags.StringVar(&s.queues, "queues", "", "`file` with the TrainingQueues that share the cluster")
	flags.Var(&s.prices, "price", "cost of a GPU hour: 2.50, or A100=2.50,T4=0.40")
	flags.Var(&s.policies, "policy", "policies to compare, such as takt,edf, or all")
	usage.OfferSeveral(cmd, "policy", "all", policies.Names()...)
	flags.Var(usage.Duration(&s.resizeCost), "resize-cost", "how long a job stops when it is resized")
	usage.Choose(cmd, &s.predictor, "predictor", "", "how policies know the speeds", oracle, learning)
	flags.Var(usage.Real(&s.noise, 0, 2), "noise", "how wrong is what the predictor is told, such as 0.1")
	usage.Choose(cmd, &s.guarantee, "guarantee", "", "what jobs are given first", startAnyway, onlyPromised)
	flags.Var(usage.Real(&s.deadlines, 0.01, 100), "deadlines", "part of the time to its deadline that a job has")
	flags.Var(usage.Real(&s.bestEffort, 0, 1), "best-effort", "share of the jobs that lose their deadline, such as 0.2")
	flags.Var(usage.Duration(&s.failures), "failures", "mean time between failures of a node, or 0s")
	flags.Var(usage.Seed(&s.seed), "seed", "start of all that is drawn at random")
	usage.Choose(cmd, &s.output, "output", "o", "how to print the results",
		usage.AsTable, usage.AsJSON, usage.AsYAML)
	flags.StringVar(&s.html, "html", "", "also draw what happened as a page, in this `file`")
	flags.BoolVar(&s.strict, "strict", false, "refuse files with mistakes")
	return cmd
}

func (s simulation) check() error {
	switch {
	case s.trace == "":
		return usage.Misuse("--trace is missing: give the CSV file with the jobs")
	case s.throughputs == "":
		return usage.Misuse("--throughputs is missing: give the folder with the speeds of each model")
	case len(s.sizes) == 0:
		return usage.Misuse("--gpus is missing: give the number of GPUs of the cluster, 1 or more")
	case len(s.sizes) > 1 && s.html != "":
		return usage.Misuse("--html draws one size of cluster: name one with --gpus")
	}
	return nil
}

func (s simulation) run(ctx context.Context, stdout, stderr io.Writer) error {
	w, err := s.readWorkload(stderr)
	if err != nil {
		return err
	}
	page, err := newReplacement(s.html)
	if err != nil {
		return err
	}
	defer page.discard()
	all, err := s.compareSizes(ctx, w, stderr)
	if err != nil {
		return err
	}
	done, err := show.Structured(stdout, s.output, all.results())
	switch {
	case done:
	case len(all) > 1:
		err = all.writeTable(stdout)
	default:
		err = all[0].writeTable(stdout)
	}
	if err != nil || s.html == "" {
		return err
	}
	if err := page.write(all[0].writePage); err != nil {
		return undrawn(s.html, err)
	}
	fmt.Fprintf(stderr, "The page is in %s.\n", s.html)
	return nil
}
