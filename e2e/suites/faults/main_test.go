package faults

import (
	"flag"
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/world"
)

// atATime is how many worlds there are at a time. Nine of them idle for minutes, and cost little.
const atATime = "12"

func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		if err := flag.Set("test.parallel", atATime); err != nil {
			panic(err)
		}
	}
	os.Exit(world.Main(m))
}
