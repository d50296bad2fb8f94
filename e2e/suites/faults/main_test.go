package faults

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/world"
)

func TestMain(m *testing.M) { os.Exit(world.Main(m, 8)) }
