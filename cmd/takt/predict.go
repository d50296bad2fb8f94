package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
	"github.com/takt-dev/takt/simulator/accuracy"
)

// trial is what takt predict is asked to do.
type trial struct {
	files       []string
	samples     int
	draws       int
	gpusPerNode int
	seed        uint64
	wholeSteps  bool
	others      int
	output      string
}

func predictCommand() *cobra.Command {
	t := trial{samples: 10, draws: 15, gpusPerNode: 8, seed: 1, output: usage.AsTable}
	cmd := &cobra.Command{
		Use:   "predict --data FILE...",
		Short: "Measure how well the predictor does on measured step times",
		Long: `Measure how well the predictor does on measured step times. It is given a few
configurations of a job, drawn at random, and what it then says of all others is
compared with what was measured there. The baseline is the plain form of Pollux,
fitted to the times of whole steps. The predictor is also given the part of a step
that is spent in exchanging gradients, where the file has it; --whole-steps keeps
that from it.

Without --others each job is the first on its network. With it the other jobs of the
files have run there before, and the times of their whole steps in so many
configurations teach what the network does, as the profiles of a namespace do.

A file is one of
  AdaptDL     CSV with placement or num_nodes and num_replicas, local_bsz,
              step_time and sync_time; the job is named after the folder
  ElasticFlow CSV with global_batch_size and a column for each number of GPUs;
              the job is named after the file
  Gavel       JSON with throughputs by type of GPU and job`,
		Example: `  takt predict --data docs/examples/speeds/bert.csv
  takt predict --data */placements.csv --samples 5 -o json
  takt predict --data */placements.csv --samples 5 --others 20`,
		RunE: func(cmd *cobra.Command, args []string) error {
			t.files = append(t.files, args...) // as a shell writes them for --data *.csv
			if len(t.files) == 0 {
				return usage.Misuse("--data is missing: give one or more files with measured step times")
			}
			return t.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&t.files, "data", nil, "`file` with measured step times; more may follow")
	flags.Var(usage.Positive(&t.samples), "samples", "configurations that the predictor is given")
	flags.Var(usage.Positive(&t.draws), "draws", "how often they are drawn anew")
	flags.Var(usage.Positive(&t.gpusPerNode), "gpus-per-node", "GPUs of each node, where the file does not tell")
	flags.Var(usage.Seed(&t.seed), "seed", "start of all that is drawn at random")
	flags.BoolVar(&t.wholeSteps, "whole-steps", false, "give no times of the exchange of gradients")
	flags.Var(usage.Positive(&t.others), "others", "configurations known of each other job before")
	usage.Choose(cmd, &t.output, "output", "o", "how to print the results",
		usage.AsTable, usage.AsJSON, usage.AsYAML)
	return cmd
}

func (t trial) run(ctx context.Context, stdout, stderr io.Writer) error {
	var wrong complaints
	var tables []accuracy.Table
	for _, path := range t.files {
		found, err := t.read(path, &wrong)
		if err != nil {
			return err
		}
		tables = append(tables, found...)
	}
	reports, err := t.evaluate(ctx, tables, &wrong, stderr)
	if err != nil {
		return err
	}
	wrong.report(stderr)
	if len(reports) == 0 {
		return errors.New("there is nothing to judge by: ask for fewer --samples, or give more data")
	}
	if done, err := show.Structured(stdout, t.output, reports); done {
		return err
	}
	return t.writeTable(stdout, reports)
}

func (t trial) read(path string, wrong *complaints) ([]accuracy.Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: --data has to name files with measured step times", err)
	}
	defer file.Close()
	tables, bad, err := accuracy.Read(appOf(path), t.gpusPerNode, file)
	if err != nil {
		return nil, fmt.Errorf("%s is no table of AdaptDL, ElasticFlow or Gavel: %w. takt predict --help says what each "+
			"of them has", path, err)
	}
	wrong.rows(path, bad)
	if t.wholeSteps {
		for i := range tables {
			tables[i] = tables[i].WithoutSync()
		}
	}
	return tables, nil
}

// appOf names the job of a file. The files of AdaptDL have the same names for every job, and lie in
// a folder with the name of the job.
func appOf(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if name != "placements" && name != "scalability" {
		return name
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return filepath.Base(filepath.Dir(path))
}

// evaluate measures all tables. Those that are too small are left out and complained of.
func (t trial) evaluate(ctx context.Context, tables []accuracy.Table, wrong *complaints,
	stderr io.Writer) ([]accuracy.Report, error) {
	var large []accuracy.Table
	for _, table := range tables {
		if len(table.Settings) > t.samples {
			large = append(large, table)
			continue
		}
		wrong.add("%s is left out: with %s it has too few to give %d and judge by the others",
			table.App, elastic.CountOf(len(table.Settings), "configuration"), t.samples)
	}
	var done atomic.Int64
	stop := showProgress(stderr, func() string { return fmt.Sprintf("jobs done: %d of %d", done.Load(), len(large)) })
	defer stop()
	reports := make([]accuracy.Report, len(large))
	err := inParallel(ctx, len(large), func(i int) error {
		defer done.Add(1)
		var err error
		others := slices.DeleteFunc(slices.Clone(tables), func(other accuracy.Table) bool {
			return other.App == large[i].App
		})
		school := accuracy.School{Others: others, Samples: t.others}
		reports[i], err = accuracy.EvaluatePrior(predictor.Usual(), school, large[i], t.samples, t.draws, t.seed)
		return err
	})
	return reports, err
}

func (t trial) writeTable(w io.Writer, reports []accuracy.Report) error {
	_, err := fmt.Fprintf(w, "Errors of the predicted step time in %%, over %s of %s each.\nJudged by the "+
		"configurations that were not given.\n\n",
		elastic.CountOf(t.draws, "draw"), elastic.CountOf(t.samples, "sample"))
	if err != nil {
		return err
	}
	table := show.Columns{Text: 1, Heads: [][]string{
		{"", "", "error", "error", "in the", "baseline"},
		{"JOB", "MEASURED", "median", "p90", "90% interval", "error"},
	}}
	for _, r := range reports {
		table.Rows = append(table.Rows, []string{
			r.App, strconv.Itoa(r.Settings), show.Percent(r.MAPEMedian), show.Percent(r.MAPEP90), show.Percent(r.Coverage90),
			show.Percent(r.BaselineMAPEMedian),
		})
	}
	return table.Write(w)
}
