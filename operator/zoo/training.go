package zoo

import (
	"fmt"
	"strings"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Training is one job that trains, second by second.
type Training struct {
	Life habit.Life

	Submitted time.Time
	Ended     time.Time // zero while it goes on
	Succeeded bool
	// Lost is the work that was done and had to be done again, in seconds of the training; Restarts counts how
	// often its workers changed since it has begun.
	Lost     time.Duration
	Restarts int
	// Stood is how long it did not go on between its beginning and its end, and Idle how many GPU seconds its
	// workers had GPUs and did not train, its beginning included.
	Stood time.Duration
	Idle  int

	key     types.NamespacedName
	written int // workers that it was written for
	least   int
	pods    map[string]*corev1.Pod

	crew  string // the workers that train
	logs  map[string][]string
	noted string
}

// mostLines are kept of a log.
const mostLines = 40

// Takes is how long a training takes at a size from its first pod on, if nothing comes in between.
func (t *Training) Takes(workers int) time.Duration {
	return starts + t.Life.Compiles + t.Life.Restart + t.Life.Lasts(t.Life.Rate(workers))
}

// second is one second of a training.
func (z *Zoo) second(t *Training) {
	workers, crew := z.crewOf(t)
	if crew != t.crew {
		t.changed(crew)
	}
	goes := workers > 0 && workers >= t.least
	if t.Idle += z.held(t); goes && !t.Life.Idles() {
		t.Idle -= workers
	} else if t.Life.Steps > 0 || t.Restarts > 0 {
		t.Stood += time.Second
	}
	if !goes {
		return
	}
	rate := t.Life.Rate(workers)
	if t.Life.Across > 0 && z.spans(t) > 1 {
		rate *= t.Life.Across
	}
	for _, line := range t.Life.Second(rate) {
		z.write(t, line)
	}
	t.Lost = time.Duration(t.Life.Again / t.Life.Rate(t.written) * float64(time.Second))
	if t.Life.Over() {
		z.end(t, kubeflow.JobSucceeded)
	}
}

// changed has a training go on with other workers, from where it last saved. So it is when a worker comes or
// leaves, too: torchrun starts all of them again.
func (t *Training) changed(crew string) {
	began := t.crew != "" || t.Life.Steps > 0
	t.crew = crew
	t.Life.Among = t.Crew()
	if began {
		t.Restarts++
		t.Life.GoBack()
	} else {
		t.Life.Begin()
	}
}

// write writes a line to the log of the worker that tells, or an annotation on the job.
func (z *Zoo) write(t *Training, said string) {
	if t.Life.By == habit.Annotation {
		if said == t.noted && t.Life.Burst == 0 && !t.Life.Twice {
			return
		}
		t.noted = said
		said = habit.Note(said)
		Change(z.Server, &kubeflow.PyTorchJob{ObjectMeta: metav1.ObjectMeta{Namespace: t.key.Namespace, Name: t.key.Name}},
			func(job *kubeflow.PyTorchJob) {
				metav1.SetMetaDataAnnotation(&job.ObjectMeta, progress.ProgressAnnotation, said)
			})
		return
	}
	pod := fmt.Sprintf("%s-worker-%d", t.key.Name, t.teller())
	t.logs[pod] = append(t.logs[pod], z.Clock.Now().UTC().Format(time.RFC3339Nano)+" "+said+"\n")
	t.logs[pod] = t.logs[pod][max(0, len(t.logs[pod])-mostLines):]
}

// teller is the index of the worker that tells.
func (t *Training) teller() int {
	crew := max(t.Crew(), 1)
	switch t.Life.Rank {
	case habit.Last:
		return crew - 1
	case habit.Any:
		return (5*t.Restarts + 1) % crew
	default:
		return 0
	}
}

// Left is how long the rest takes at a size, if nothing comes in between.
func (t *Training) Left(workers int) time.Duration {
	if workers < max(t.least, 1) {
		return 1000 * time.Hour
	}
	if t.Life.Lived() {
		life := t.Life
		return life.Rest(t.Life.Rate(workers))
	}
	trains := t.Life.Lasts(t.Life.Rate(workers)) - t.Life.Closes
	return time.Duration((1-t.Life.Steps/t.Life.Total)*float64(trains)) + t.Life.Closes
}

// LosesNow is the work that a restart would cost at this moment, in time at the present size.
func (t *Training) LosesNow() time.Duration {
	seconds := (t.Life.Steps - t.Life.Kept()) / t.Life.Rate(max(t.Crew(), 1))
	return time.Duration(seconds * float64(time.Second)).Round(time.Second)
}

// Crew is how many workers train.
func (t *Training) Crew() int { return strings.Count(t.crew, " ") }

// Least is the smallest size that it may have.
func (t *Training) Least() int { return t.least }

// Done is the share of the work that is done.
func (t *Training) Done() float64 { return t.Life.Steps / t.Life.Total }

// Over says that it has ended.
func (t *Training) Over() bool { return !t.Ended.IsZero() }

// spans is on how many nodes the workers of a training are.
func (z *Zoo) spans(t *Training) int {
	on := map[string]bool{}
	for _, pod := range t.pods {
		if pod.Spec.NodeName != "" {
			on[pod.Spec.NodeName] = true
		}
	}
	return len(on)
}
