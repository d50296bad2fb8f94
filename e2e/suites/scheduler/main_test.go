// Package scheduler tests Takt's scheduler on a real control plane, as a process of its own beside the
// one that the cluster has. Each test has one, with nodes that nobody else's pods can go to.
package scheduler

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/world"
)

func TestMain(m *testing.M) { os.Exit(world.Main(m, 4)) }
