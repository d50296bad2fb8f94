// Package cli tests the commands of takt as people call them, as a program of its own, against an operator that lives.
package cli

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/world"
)

func TestMain(m *testing.M) { os.Exit(world.Main(m, 4)) }
