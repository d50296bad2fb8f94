// Package operator tests the operator on a real control plane.
package operator

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/world"
)

func TestMain(m *testing.M) { os.Exit(world.Main(m, 6)) }
