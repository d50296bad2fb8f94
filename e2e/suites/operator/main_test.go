// Package operator tests the operator on a real control plane.
package operator

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/world"
)

// Each scenario is in a hurry for its deadlines: four at a time leave two cores room for all of them.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "4"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(world.Main(m))
}
