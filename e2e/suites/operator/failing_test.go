package operator

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// An operator that is started while no log can be read goes by what the one before it knew. Another job waits for a
// GPU that this one can do without only if nothing is known of it.
func TestAnOperatorThatCanReadNothingGoesByWhatWasKnown(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world.World){
		"after one that was stopped": (*world.World).StopOperator,
		"after one that has crashed": (*world.World).KillOperator,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{Start: world.Operate, Settings: patiently})
			w.Nodes(1, 2)
			w.PyTorchJob("resnet", world.Job{ // two workers take 10 min, one takes 17 min
				Workers: 2, Min: 1, Max: 2, Suspended: true, Deadline: "15m", Guarantee: "Promise", Habits: everySecond,
				Training: world.Steps(12000, training.Speed{Base: 12, Scaling: 0.8}),
			})
			w.Eventually("its deadline is promised, and what is known of it is kept", world.Later, func() error {
				status := w.Job("resnet").Status
				latest, _ := status.Prediction.Latest.Time()
				deadline, _ := status.Deadline.Time()
				return errors.Join(promised(status), world.Want("it is kept", status.Memory != "", true),
					world.Want("running", w.Running("resnet"), 2),
					world.Want("verdict", status.Verdict, v1alpha1.VerdictOnTrack),
					// A reading that comes late has to weigh little.
					world.Want("it was measured for a while", status.Progress.PartsPerMillion > 60_000, true),
					world.Want("minutes to spare", !latest.IsZero() && deadline.Sub(latest) > 2*time.Minute, true))
			})
			settle(w, "resnet")
			w.PyTorchJob("other", world.Job{Still: true, Suspended: true, Queue: "default"})
			w.AnswerForLogs(func(answer http.ResponseWriter, _ *http.Request) {
				http.Error(answer, "the disk is full", http.StatusInternalServerError)
			})
			end(w)
			before, resizes := w.Job("resnet").Status, len(w.Resizes("resnet"))
			told := len(statuses(w, "resnet"))
			w.StartOperator()
			keeps := func() error {
				return errors.Join(world.Want("resizes", len(w.Resizes("resnet")), resizes),
					world.Want("running", w.Running("resnet"), 2))
			}
			// The first plan waits for readings for ten seconds.
			w.Steadily("it keeps its size", 20*time.Second, keeps)
			w.AnswerForLogs(nil)
			w.Eventually("it goes on from there", world.Soon, func() error {
				status := w.Job("resnet").Status
				if status.Progress.PartsPerMillion <= before.Progress.PartsPerMillion {
					return fmt.Errorf("it has done %d ppm, as before", status.Progress.PartsPerMillion)
				}
				return keeps()
			})
			for _, status := range statuses(w, "resnet")[told-1:] {
				if err := errors.Join(promised(status), world.Want("verdict", status.Verdict, v1alpha1.VerdictOnTrack),
					world.Want("it is kept", status.Memory != "", true),
					world.Want("it has an ETA", status.Prediction.ETA != "", true),
					world.Want("it goes back", status.Progress.PartsPerMillion < before.Progress.PartsPerMillion, false)); err != nil {
					t.Errorf("%v: %s", err, status.Message)
				}
			}
			if err := w.History.Undisturbed("resnet-worker-0", "resnet-worker-1"); err != nil {
				t.Error(err)
			}
		})
	}
}
