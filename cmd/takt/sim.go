package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/simulator/policies"
)

// simulation is what takt sim is asked to do.
type simulation struct {
	trace, throughputs string
	gpus, gpusPerNode  int
	policies           policyList
	resizeCost         time.Duration
	predictor          string
	guarantee          string
	noise              float64
	bestEffort         float64
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
		gpusPerNode: 8, policies: policyList{"takt"}, resizeCost: 30 * time.Second, predictor: oracle, guarantee: startAnyway, seed: 1, output: usage.AsTable,
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
	flags.Var(usage.Positive(&s.gpus), "gpus", "GPUs of the cluster")
	flags.Var(usage.Positive(&s.gpusPerNode), "gpus-per-node", "GPUs of each node")
	flags.Var(&s.policies, "policy", "policies to compare, such as takt,edf, or all")
	flags.Var(usage.Duration(&s.resizeCost), "resize-cost", "how long a job stops when it is resized")
	flags.Var(usage.Choice(&s.predictor, oracle, learning), "predictor", "how policies know the speeds")
	flags.Var(usage.Real(&s.noise, 0, 2), "noise", "how wrong is what the predictor is told, such as 0.1")
	flags.Var(usage.Choice(&s.guarantee, startAnyway, onlyPromised), "guarantee", "what jobs are given first")
	flags.Var(usage.Real(&s.bestEffort, 0, 1), "best-effort", "share of the jobs that lose their deadline, such as 0.2")
	flags.Var(usage.Duration(&s.failures), "failures", "mean time between failures of a node, or 0s")
	flags.Var(usage.Seed(&s.seed), "seed", "start of all that is drawn at random")
	flags.VarP(usage.Choice(&s.output, usage.AsTable, usage.AsJSON), "output", "o", "how to print the results")
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
	case s.gpus == 0:
		return usage.Misuse("--gpus is missing: give the number of GPUs of the cluster, 1 or more")
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
	c, err := s.compare(ctx, w, stderr)
	if err != nil {
		return err
	}
	if s.output == usage.AsJSON {
		err = show.JSON(stdout, c.results())
	} else {
		err = c.writeTable(stdout)
	}
	if err != nil || s.html == "" {
		return err
	}
	if err := page.write(c.writePage); err != nil {
		return fmt.Errorf("drawing %s: %w", s.html, err)
	}
	fmt.Fprintf(stderr, "The page is in %s.\n", s.html)
	return nil
}

// policyList is the value of --policy.
type policyList []string

// Set is called with what the user gave.
func (l *policyList) Set(text string) error {
	list := strings.Split(text, ",")
	if text == "all" {
		list = policies.Names()
	}
	for i, name := range list {
		list[i] = strings.TrimSpace(name)
		if _, err := policies.New(list[i]); err != nil {
			return fmt.Errorf("%w, or all", err)
		}
		if slices.Contains(list[:i], list[i]) {
			return fmt.Errorf("%s is there twice: name each policy once", list[i])
		}
	}
	*l = list
	return nil
}

func (l *policyList) String() string { return strings.Join(*l, ",") }

// Type is what the help shows after the name of the flag.
func (l *policyList) Type() string { return "names" }
