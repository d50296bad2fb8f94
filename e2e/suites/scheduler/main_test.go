// Package scheduler tests Takt's scheduler on a real control plane, as a process of its own beside the
// one that the cluster has. Each test has one, with nodes that nobody else's pods can go to.
//
// Where its time goes, alone on two processors: 117 s before it had a sample, of which 26 % are
// waiting. The API server and etcd have 36 %, and the tests and schedulers 32 %: the streams of jobs ask the
// schedulers ten times a second whether they have come to rest.
package scheduler

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/world"
)

func TestMain(m *testing.M) { os.Exit(world.Main(m, 4)) }
