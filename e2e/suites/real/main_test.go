// Package real trains with PyTorch under Takt: real nodes, real processes, training-operator, takt-scheduler and
// takt-operator as they are installed. The script is a normal one (testdata/train.py), and knows nothing of Takt.
//
// make e2e-real plays it. It needs root, and builds an image of a minute or two, once.
package real

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/results"
)

var (
	home *cluster.Cluster
	// lacking says what keeps this machine from real training; nothing where it can be had.
	lacking string
)

// What is measured goes into these tables of the page that TAKT_BENCHMARKS names.
var (
	disturbances = results.NewTable("Real training beside a patch", "resized by", "restarts", "growth", "PyTorch's own",
		"ratio", "shrink", "PyTorch's own", "ratio", "steps trained again")
	forecasts = results.NewTable("Real training and its end", "script", "at", "left", "told", "error", "held")
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctrllog.SetLogger(logr.Discard())
	if lacking = missing(); lacking != "" {
		return m.Run()
	}
	var err error
	if home, err = start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := 1
	if err = prepare(context.Background()); err == nil {
		code = m.Run()
	}
	if file := os.Getenv("TAKT_BENCHMARKS"); file != "" && err == nil {
		err = results.Publish(file, disturbances, forecasts)
	}
	if err := errors.Join(err, home.Stop()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// start starts a cluster, or takes the one that runs in the folder TAKT_CLUSTER.
func start() (*cluster.Cluster, error) {
	if folder := os.Getenv("TAKT_CLUSTER"); folder != "" {
		return cluster.Use(folder)
	}
	folder, err := os.MkdirTemp("", "scheduler-")
	if err != nil {
		return nil, err
	}
	arguments, err := cluster.RealNodes(folder)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	c, err := cluster.Start(arguments...)
	return c, errors.Join(err, os.RemoveAll(folder))
}

// missing says what real training needs and this machine lacks.
func missing() string {
	if os.Getenv("TAKT_REAL") == "" {
		return "it needs real nodes: make e2e-real plays it"
	}
	return cluster.LacksRealTraining()
}

// prepare gives the cluster the kinds of Takt, the queue, the agent, and the image that trains.
func prepare(ctx context.Context) error {
	if err := home.InstallCRDs(ctx); err != nil {
		return err
	}
	if _, err := home.Kubectl(ctx, "apply", "--server-side", "-k", "config/queue"); err != nil {
		return err
	}
	return home.GiveTraining(ctx)
}

// needsRealTraining skips a test that is not asked for. Where it is asked for and cannot be had, it says so even to
// those who do not look at tests that pass.
func needsRealTraining(t *testing.T) {
	t.Helper()
	if lacking == "" {
		return
	}
	skip(t, lacking)
}

func skip(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("TAKT_REAL") != "" {
		fmt.Fprintf(os.Stderr, "\nSKIPPED, NOT PASSED: %s\n%s\n", t.Name(), why)
	}
	t.Skip(why)
}
