// Package operator tests the operator on a real control plane.
//
// Where its time goes, alone on two processors: 314 s with eleven tests at a time, and 502 s with six. Of that, 47 and
// 67 % are waiting for trainings and deadlines that take as long as they take. So more tests at a time are what makes
// it faster, as far as deadlines stand that.
package operator

import (
	"os"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/world"
)

func TestMain(m *testing.M) {
	world.DrawHabits()
	os.Exit(world.Main(m, 12))
}
