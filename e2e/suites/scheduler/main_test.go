// Package scheduler tests Takt's scheduler on a real control plane, as a process of its own beside the
// one that the cluster has. Each test has one, with nodes that nobody else's pods can go to.
//
// Where its time goes, alone on two processors and with eight tests at a time: 223 s, of which 77 % are waiting. The
// streams of jobs take 208 of them: they ask their schedulers ten times a second whether they have come to rest.
package scheduler

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/world"
)

func TestMain(m *testing.M) { os.Exit(world.Main(m, 4)) }
