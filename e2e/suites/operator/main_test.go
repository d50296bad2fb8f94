// Package operator tests the operator on a real control plane.
//
// Where its time goes, alone on two processors: 486 s with four tests at a time, of which 70 %
// are waiting for trainings and deadlines that take as long as they take. The API server and etcd have 18 %, the
// tests and Takt 5 %. So more tests at a time are what makes it faster, as far as deadlines stand that.
package operator

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/world"
)

func TestMain(m *testing.M) {
	world.DrawHabits()
	os.Exit(world.Main(m, 6))
}
