// Package scheduler tests Takt's scheduler on a real control plane, as a process of its own beside the
// one that the cluster has. Each test has one, with nodes that nobody else's pods can go to.
package scheduler

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/world"
)

// Each test has a scheduler of its own: four at a time leave two cores room for all of them.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "4"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(world.Main(m))
}
