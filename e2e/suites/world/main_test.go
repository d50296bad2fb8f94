// Package world_test tests what the other suites are played in: nodes that are lost and return, an operator
// that crashes after any write, and trainings that are as fast as they should be.
//
// Where its time goes, alone on two processors: 40 s, of which 81 % are waiting for trainings.
package world_test

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/world"
)

func TestMain(m *testing.M) { os.Exit(world.Main(m, 12)) }
