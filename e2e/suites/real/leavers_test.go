package real

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// wellBehaved ends with 0 when it is told to stop, as many wrappers do that mean to end in good order.
const wellBehaved = `trap "exit 0" TERM; "$@" & wait $!`

// Where a worker that is told to leave exits with 0, training-operator takes the work of all for done. Takt says what
// has happened.
func TestRealTrainingThatExitsWithZeroIsCutShort(t *testing.T) {
	s := newStage(t)
	j := job{name: "trapped", deadline: 15 * time.Minute, least: 1, most: 4, workers: 4, steps: 300,
		sample: 20 * time.Millisecond, script: wellBehaved}
	folder := s.submit(j)
	s.trains(folder, 4)
	s.hold("newcomer", 2)
	s.verdict(j.name, v1alpha1.VerdictMissed, patience)
	if said := s.elasticJob(j.name).Status.Message; !strings.Contains(said, "while Takt made it smaller") {
		t.Errorf("it is said: %s", said)
	}
	if history := rounds(records(t, folder)); history[len(history)-1].last >= j.steps {
		t.Errorf("it has trained to its end: %v", history)
	}
}

// With the agent the same training outlives the same loss of workers, and ends right.
func TestRealTrainingThatExitsWithZeroIsSafeWithTheAgent(t *testing.T) {
	s := newStage(t)
	s.withAgent()
	s.makesRoom(job{
		name: "guarded", deadline: 15 * time.Minute, least: 1, most: 4, workers: 4, steps: 300, sample: 20 * time.Millisecond,
		script:    wellBehaved,
		suspended: true,
	})
}
