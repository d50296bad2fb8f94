package operator

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// patiently makes the operator believe for minutes in what it has read last, as by default.
func patiently(s *settings.Settings) { s.Progress.StaleAfter.Duration = 5 * time.Minute }

// voice is one of the places where a job tells how far it is: nothing at first, and what it has told last while
// it is silent.
type voice struct {
	mutex  sync.Mutex
	speaks bool
	last   int
	at     time.Time // when it has said that
}

func (v *voice) speak(speaks bool) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.speaks = speaks
}

// says is the step that it tells of a job that is at another by now, and when it has said so.
func (v *voice) says(now func() int) (int, time.Time) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.speaks {
		v.last, v.at = now(), time.Now()
	}
	return v.last, v.at
}

// choir is a job of 12000 steps that could tell of them by each of its voices. It does 20 in a second.
type choir struct {
	w                     *world.World
	began                 time.Time
	note, log, prometheus voice
	endpoint              *server
}

func (c *choir) step() int { return int(20 * time.Since(c.began).Seconds()) }

// sings has all voices say what they say at this moment.
func (c *choir) sings() {
	if step, _ := c.prometheus.says(c.step); step > 0 {
		c.endpoint.says(http.StatusOK, "training_steps_done %d\ntraining_steps_planned 12000\n", step)
	}
	if step, _ := c.note.says(c.step); step > 0 {
		c.w.Patch(c.w.TrainingJob("PyTorchJob", "resnet"),
			fmt.Sprintf(`{"metadata":{"annotations":{"takt.dev/progress":"%d/12000 steps"}}}`, step))
	}
}

// newChoir is one that needs both of its workers to be in time, while another job waits for the GPU of one of them.
func newChoir(t *testing.T, first func(*choir) *voice) *choir {
	t.Helper()
	c := &choir{endpoint: serving(t)}
	c.w = world.New(t, world.Options{Start: world.Operate, Settings: patiently})
	c.w.AnswerForLogs(func(answer http.ResponseWriter, request *http.Request) {
		if step, at := c.log.says(c.step); step > 0 && strings.Contains(request.URL.Path, "/resnet-") {
			fmt.Fprintf(answer, "%s step %d/12000 loss=0.12\n", at.UTC().Format(time.RFC3339Nano), step)
		}
	})
	c.w.Nodes(1, 2)
	c.w.PyTorchJob("resnet", world.Job{
		Still: true, Workers: 2, Min: 1, Max: 2, Suspended: true, Deadline: "18m", Change: scraped(c.endpoint.port),
	})
	here(t, c.w, "resnet")
	c.began = time.Now()
	first(c).speak(true)
	// What is done between the last reading and the silence is read once more, and looks slow: it has to weigh little.
	c.w.Eventually("its speed is known well enough that it will surely be in time", world.Later, func() error {
		c.sings()
		status := c.w.Job("resnet").Status
		latest, _ := status.Prediction.Latest.Time()
		deadline, _ := status.Deadline.Time()
		return errors.Join(c.inTime(), world.Want("running", c.w.Running("resnet"), 2),
			world.Want("it was measured for a while", c.step() > 1200, true),
			world.Want("minutes to spare", !latest.IsZero() && deadline.Sub(latest) > 3*time.Minute, true))
	})
	c.w.PyTorchJob("other", world.Job{Still: true, Suspended: true, Queue: "default"})
	return c
}

// inTime is an error unless the job is said to be in time, and when it will end.
func (c *choir) inTime() error {
	status := c.w.Job("resnet").Status
	if _, err := status.Prediction.ETA.Time(); err != nil {
		return fmt.Errorf("it has no ETA: %w: %s", err, status.Message)
	}
	if err := world.Want("verdict", status.Verdict, v1alpha1.VerdictOnTrack); err != nil {
		return fmt.Errorf("%w: %s", err, status.Message)
	}
	return nil
}

// A source that stops says nothing about the training. The job keeps its GPUs and its verdict, and the end that is
// expected goes on to be told, until another source advances, by which the job is read from then on.
func TestASilentSourceChangesNothingUntilAnotherTakesOver(t *testing.T) {
	t.Parallel()
	note := func(c *choir) *voice { return &c.note }
	log := func(c *choir) *voice { return &c.log }
	prometheus := func(c *choir) *voice { return &c.prometheus }
	for name, test := range map[string]struct {
		first, next func(*choir) *voice
		from, to    v1alpha1.ProgressSource
	}{
		"log to annotation": {log, note, v1alpha1.ProgressLogs, v1alpha1.ProgressAnnotation},
		"annotation to log": {note, log, v1alpha1.ProgressAnnotation, v1alpha1.ProgressLogs},
		"Prometheus to log": {prometheus, log, v1alpha1.ProgressPrometheus, v1alpha1.ProgressLogs},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChoir(t, test.first)
			before := c.w.Job("resnet").Status
			if err := world.Want("source", before.Progress.Source, string(test.from)); err != nil {
				t.Fatal(err)
			}
			expected, _ := before.Prediction.ETA.Time()
			test.first(c).speak(false)
			c.w.Steadily("it keeps what it has", 12*time.Second, func() error {
				c.sings()
				eta, _ := c.w.Job("resnet").Status.Prediction.ETA.Time()
				if moved := eta.Sub(expected).Abs(); moved > 2*time.Minute {
					return fmt.Errorf("its ETA has moved by %v", moved)
				}
				return errors.Join(c.inTime(), world.Want("running", c.w.Running("resnet"), 2))
			})
			silent := c.w.Job("resnet").Status.Progress.PartsPerMillion
			test.next(c).speak(true)
			c.w.Eventually("it is read from where it goes on", world.Soon, func() error {
				c.sings()
				progress := c.w.Job("resnet").Status.Progress
				return errors.Join(c.inTime(), world.Want("source", progress.Source, string(test.to)),
					world.Want("it advances", progress.PartsPerMillion > silent, true))
			})
			if err := errors.Join(world.Want("resizes", len(c.w.Resizes("resnet")), 1),
				c.w.History.Undisturbed("resnet-worker-0", "resnet-worker-1")); err != nil {
				t.Error(err)
			}
		})
	}
}
